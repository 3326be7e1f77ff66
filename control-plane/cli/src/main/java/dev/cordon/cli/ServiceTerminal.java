package dev.cordon.cli;

import dev.cordon.api.Terminal;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.cli.service.WebSocket;
import dev.cordon.json.ResultReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A job of a service with a terminal.
 *
 * @param service who runs it
 * @param job     where it is
 * @param socket  its terminal
 * @param sandbox where the sandbox is that ends with it; empty for none
 */
record ServiceTerminal(ServiceClient service, String job, WebSocket socket, String sandbox) implements TerminalJob {
    private static final String ENDS = "?wait_ms=10000";

    /** Starts one in a sandbox. */
    static ServiceTerminal start(ServiceClient service, String sandbox, ObjectNode body, Terminal size, boolean ends)
            throws ServiceLost, Refusal {
        body.set("tty", json(size));
        String job = "/v1/jobs/" + service.started(sandbox + "/jobs", body);
        return new ServiceTerminal(service, job, service.socket(job + "/tty"), ends ? sandbox : "");
    }

    private static ObjectNode json(Terminal size) {
        return ServiceClient.MAPPER.createObjectNode().put("rows", size.rows()).put("columns", size.columns());
    }

    @Override
    public void send(byte[] bytes, int offset, int length) throws IOException {
        socket.send(bytes, offset, length);
    }

    @Override
    public byte @Nullable [] receive() throws IOException {
        return socket.receive();
    }

    @Override
    public void resize(Terminal size) throws IOException {
        socket.send(json(size).toString());
    }

    @Override
    public Ending await() throws ServiceLost, Refusal {
        socket.close();
        try {
            return Ending.of(ResultReader.read(service.text("GET", job + ENDS, null)));
        } catch (IllegalArgumentException e) {
            throw new ServiceLost("the job at " + service.where() + " has no end", e);
        }
    }

    /** The job ends with whoever sits at it. */
    @Override
    public void cancel() {
        socket.close();
    }

    @Override
    public void close() {
        socket.close();
        if (!sandbox.isEmpty()) {
            end(service, sandbox);
        }
    }

    /** Ends a sandbox, unless it was killed meanwhile or is gone with the service. */
    static void end(ServiceClient service, String sandbox) {
        try {
            var _ = service.text("DELETE", sandbox, null);
        } catch (ServiceLost | Refusal gone) {
            return;
        }
    }
}
