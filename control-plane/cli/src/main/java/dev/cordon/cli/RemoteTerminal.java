package dev.cordon.cli;

import dev.cordon.api.Result;
import dev.cordon.api.Terminal;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.cli.service.WebSocket;
import dev.cordon.host.HostTerminal;
import dev.cordon.json.ResultReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A job of a service with a terminal, tied to the one that somebody sits at. */
record RemoteTerminal(ServiceClient service, Stdio stdio, HostTerminal terminal) {
    private static final String ENDS = "?wait_ms=10000";

    /** Runs a job to its end at this terminal, and says how it ended. The caller closes the interruption when all is done. */
    int run(String target, ObjectNode body, Interruption interruption) throws ServiceLost, Refusal, IOException {
        Terminal size = terminal.size();
        body.putObject("tty").put("rows", size.rows()).put("columns", size.columns());
        String id = service.started(target, body);
        String job = "/v1/jobs/" + id;
        try (WebSocket socket = service.socket(job + "/tty")) {
            interruption.cancels(socket::close); // the job ends with whoever sits at it
            new TerminalSession(stdio, terminal)
                    .relay(keys(socket), screen(socket), changed -> resize(socket, changed));
        }
        Result result = result(job);
        Epilogue.of(result).forEach(stdio::message);
        return result.outcome().exitCode();
    }

    private Result result(String job) throws ServiceLost, Refusal {
        try {
            return ResultReader.read(service.text("GET", job + ENDS, null));
        } catch (IllegalArgumentException e) {
            throw new ServiceLost("the job at " + service.where() + " has no end", e);
        }
    }

    private static OutputStream keys(WebSocket socket) {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                socket.send(bytes, offset, length);
            }
        };
    }

    /** What is shown, until the service closes; one that breaks off ends it, too. */
    private static InputStream screen(WebSocket socket) {
        return new InputStream() {
            private byte @Nullable [] piece = new byte[0];
            private int next;

            @Override
            public int read() {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                try {
                    while (piece != null && next == piece.length) {
                        piece = socket.receive();
                        next = 0;
                    }
                } catch (IOException gone) {
                    piece = null;
                }
                if (piece == null) {
                    return -1;
                }
                int count = Math.min(length, piece.length - next);
                System.arraycopy(piece, next, into, offset, count);
                next += count;
                return count;
            }
        };
    }

    private static void resize(WebSocket socket, Terminal size) {
        try {
            socket.send("{\"rows\":" + size.rows() + ",\"columns\":" + size.columns() + "}");
        } catch (IOException gone) {
            return;
        }
    }
}
