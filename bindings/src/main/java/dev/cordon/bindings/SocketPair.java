package dev.cordon.bindings;

/**
 * A connected pair of sockets.
 *
 * @param ours the non-blocking end for the JVM
 * @param theirs the blocking end for the program
 */
public record SocketPair(Fd ours, Fd theirs) implements AutoCloseable {
    @Override
    public void close() {
        ours.close();
        theirs.close();
    }
}
