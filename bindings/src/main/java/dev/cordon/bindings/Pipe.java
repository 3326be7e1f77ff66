package dev.cordon.bindings;

/**
 * A pipe; both ends are close-on-exec and blocking until {@link Kernel#nonBlocking} says otherwise.
 *
 * @param source the end to read from
 * @param sink the end to write to
 */
public record Pipe(Fd source, Fd sink) implements AutoCloseable {
    @Override
    public void close() {
        source.close();
        sink.close();
    }
}
