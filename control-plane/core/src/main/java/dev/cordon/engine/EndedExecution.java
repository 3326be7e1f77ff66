package dev.cordon.engine;

import dev.cordon.api.Result;
import dev.cordon.api.Sample;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A job that was over before it began. */
record EndedExecution(CompletableFuture<Result> result) implements Execution {
    EndedExecution(Result result) {
        this(CompletableFuture.completedFuture(result));
    }

    @Override
    public void cancel() {}

    @Override
    public void signal(int signal) {}

    @Override
    public Sample sample() {
        return new Sample(Duration.ZERO, null, null, null);
    }

    @Override
    public void close() {}
}
