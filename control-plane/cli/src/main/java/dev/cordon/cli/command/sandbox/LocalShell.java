package dev.cordon.cli.command.sandbox;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.SandboxRefused;
import dev.cordon.cli.box.BoxServer;
import dev.cordon.cli.terminal.CommandEnding;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalJob;
import dev.cordon.config.Config;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox of this process that others can reach, and the command in it at whose terminal somebody sits.
 *
 * @param cordon  the library, which ends with it
 * @param sandbox the sandbox
 * @param server  lets others reach it
 * @param job     the command
 * @param keys    what is typed goes there
 * @param shown   what it shows
 */
record LocalShell(
        Cordon cordon, Sandbox sandbox, BoxServer server, RunningJob job, OutputStream keys, InputStream shown)
        implements TerminalJob {
    private static final int PIECE = 1 << 14;

    /** Opens the sandbox, tells its id and starts the command. */
    static LocalShell open(Config config, SandboxSpec spec, Job command, StandardStreams stdio) throws CommandFailure {
        Cordon cordon = Cordon.open(config);
        BoxServer server = null;
        try {
            Sandbox sandbox = cordon.openSandbox(spec);
            server = BoxServer.open(config, sandbox);
            stdio.message("sandbox " + sandbox.id()
                    + (server.problem().isEmpty()
                            ? ""
                            : ", not reachable by cordon exec: " + server.problem()
                                    + "; paths.run names another place"));
            RunningJob job = sandbox.start(command);
            return new LocalShell(cordon, sandbox, server, job, job.stdin(), job.stdout());
        } catch (SandboxRefused e) {
            cordon.close();
            throw EndMessages.failure(e.outcome());
        } catch (RuntimeException | Error e) {
            if (server != null) {
                server.close();
            }
            cordon.close();
            throw e;
        }
    }

    @Override
    public void send(byte[] bytes, int offset, int length) throws IOException {
        keys.write(bytes, offset, length);
        keys.flush();
    }

    @Override
    public void sendEnd() throws IOException {
        keys.close();
    }

    @Override
    public byte @Nullable [] receive() throws IOException {
        byte[] piece = new byte[PIECE];
        int got = shown.read(piece);
        return got < 0 ? null : Arrays.copyOf(piece, got);
    }

    @Override
    public void resize(Terminal size) {
        job.resize(size.rows(), size.columns());
    }

    @Override
    public CommandEnding await() {
        return CommandEnding.of(job.result().join());
    }

    @Override
    public void cancel() {
        job.cancel();
    }

    @Override
    public void close() {
        try (cordon;
                sandbox;
                server) {
            job.close();
        }
    }
}
