package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.client.WebSocket;
import dev.cordon.cli.terminal.CommandEnding;
import dev.cordon.cli.terminal.TerminalJob;
import dev.cordon.job.Terminal;
import dev.cordon.json.ResultJson;
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
            throws ServiceLost, ServiceRefusal {
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
    public CommandEnding await() throws ServiceLost, ServiceRefusal {
        socket.close();
        try {
            return CommandEnding.of(ResultJson.read(service.get(job + ENDS)));
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
        } catch (ServiceLost | ServiceRefusal gone) {
            return;
        }
    }
}
