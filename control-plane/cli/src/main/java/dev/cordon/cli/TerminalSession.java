package dev.cordon.cli;

import dev.cordon.api.Terminal;
import dev.cordon.host.HostTerminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Ties the terminal that somebody sits at to one in a sandbox: keys go in as they are typed, so that Ctrl-C reaches the program inside,
 * output comes out as it is, and the size follows. Runs until the output ends.
 */
final class TerminalSession {
    /** How soon a change of the window's size is seen: there is no portable way to hear of it. */
    private static final Duration LOOK = Duration.ofMillis(200);

    private static final int PIECE = 1 << 14;

    private final Stdio stdio;
    private final HostTerminal terminal;

    TerminalSession(Stdio stdio, HostTerminal terminal) {
        this.stdio = stdio;
        this.terminal = terminal;
    }

    /**
     * Relays until the output ends.
     *
     * @param keys   where what is typed goes
     * @param screen what the program writes
     * @param resize told the size whenever it has changed
     */
    void relay(OutputStream keys, InputStream screen, Consumer<Terminal> resize) throws IOException {
        terminal.raw();
        Thread typist = daemon("cordon-keys", () -> copy(stdio.in(), keys));
        Thread watcher = daemon("cordon-size", () -> watch(resize));
        try {
            typist.start();
            watcher.start();
            screen.transferTo(stdio.out());
        } finally {
            watcher.interrupt();
            terminal.close();
        }
    }

    private static Thread daemon(String name, Runnable body) {
        // A read from a terminal cannot be interrupted: the thread ends with the process.
        return Thread.ofPlatform().daemon().name(name).unstarted(body);
    }

    private static void copy(InputStream from, OutputStream to) {
        byte[] piece = new byte[PIECE];
        try {
            int got = from.read(piece);
            while (got >= 0) {
                to.write(piece, 0, got);
                to.flush();
                got = from.read(piece);
            }
            to.close();
        } catch (IOException over) {
            return;
        }
    }

    private void watch(Consumer<Terminal> resize) {
        Terminal known = terminal.size();
        try {
            while (true) {
                Thread.sleep(LOOK);
                Terminal size = terminal.size();
                if (!size.equals(known)) {
                    known = size;
                    resize.accept(size);
                }
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}
