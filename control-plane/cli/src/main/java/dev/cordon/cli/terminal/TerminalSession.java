package dev.cordon.cli.terminal;

import dev.cordon.host.HostTerminal;
import dev.cordon.job.Terminal;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ties the terminal that somebody sits at to one in a sandbox: keys go in as they are typed, so that Ctrl-C reaches the program inside,
 * output comes out as it is, and the size follows. Runs until the output ends.
 *
 * @param stdio    the streams of this process
 * @param terminal where somebody sits
 */
public record TerminalSession(StandardStreams stdio, HostTerminal terminal) {
    /** How soon a change of the window's size is seen: there is no portable way to hear of it. */
    private static final Duration LOOK = Duration.ofMillis(200);

    private static final int PIECE = 1 << 14;

    /** Sits at a command until it is over, tells how it ended, and returns the exit code. */
    public static int sit(HostTerminal terminal, TerminalJob started, StandardStreams stdio)
            throws CommandFailure, IOException {
        try (terminal;
                JobInterruption interruption = new JobInterruption();
                TerminalJob job = started) {
            interruption.cancels(job);
            new TerminalSession(stdio, terminal).relay(job);
            return job.await().report(false, stdio);
        }
    }

    /** Relays until the output ends, or whoever sends it is gone. */
    private void relay(TerminalJob job) throws IOException {
        terminal.raw();
        // A read from a terminal cannot be interrupted: the thread ends with the process.
        Thread.ofPlatform().daemon().name("cordon-keys").start(() -> type(job));
        Thread watcher = Thread.ofPlatform().daemon().name("cordon-size").start(() -> watch(job));
        try {
            for (byte[] piece = next(job); piece != null; piece = next(job)) {
                stdio.out().write(piece);
            }
        } finally {
            watcher.interrupt();
            terminal.close();
        }
    }

    private static byte @Nullable [] next(TerminalJob job) {
        try {
            return job.receive();
        } catch (IOException gone) {
            return null;
        }
    }

    private void type(TerminalJob job) {
        byte[] piece = new byte[PIECE];
        try {
            for (int got = stdio.in().read(piece); got >= 0; got = stdio.in().read(piece)) {
                job.send(piece, 0, got);
            }
            job.sendEnd();
        } catch (IOException over) {
            return;
        }
    }

    private void watch(TerminalJob job) {
        Terminal known = terminal.size();
        try {
            while (true) {
                Thread.sleep(LOOK);
                Terminal size = terminal.size();
                if (!size.equals(known)) {
                    known = size;
                    job.resize(size);
                }
            }
        } catch (InterruptedException | IOException over) {
            return;
        }
    }
}
