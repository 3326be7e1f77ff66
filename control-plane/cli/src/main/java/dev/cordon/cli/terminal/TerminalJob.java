package dev.cordon.cli.terminal;

import dev.cordon.job.Terminal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A command with a terminal of its own in a sandbox: the other end of the one that somebody sits at. */
public interface TerminalJob extends AwaitedJob<CommandEnding> {
    /** Keys that were typed. */
    void send(byte[] bytes, int offset, int length) throws IOException;

    /** Nothing more will be typed. */
    default void sendEnd() throws IOException {}

    /** What is shown next; null when that is over. */
    byte @Nullable [] receive() throws IOException;

    /** The window has another size. */
    void resize(Terminal size) throws IOException;
}
