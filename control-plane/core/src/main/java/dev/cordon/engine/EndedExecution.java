package dev.cordon.engine;

import dev.cordon.api.Result;
import dev.cordon.api.Sample;
import dev.cordon.api.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A job that was over before it began. */
public class EndedExecution implements Execution {
    private final CompletableFuture<Result> result;

    /** With its result. */
    public EndedExecution(Result result) {
        this.result = CompletableFuture.completedFuture(result);
    }

    @Override
    public CompletableFuture<Result> result() {
        return result;
    }

    @Override
    public void cancel() {}

    @Override
    public void signal(int signal) {}

    @Override
    public void resize(Terminal size) {}

    @Override
    public OutputStream stdin() {
        return InputFeeder.closed();
    }

    @Override
    public InputStream stdout() {
        return InputStream.nullInputStream();
    }

    @Override
    public InputStream stderr() {
        return InputStream.nullInputStream();
    }

    @Override
    public Sample sample() {
        return new Sample(Duration.ZERO, null, null, null);
    }

    @Override
    public void close() {}
}
