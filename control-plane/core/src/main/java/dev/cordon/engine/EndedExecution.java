package dev.cordon.engine;

import dev.cordon.engine.stream.InputFeeder;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Terminal;
import dev.cordon.plan.Plan;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.result.UsageSample;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** A job that was over before it began. */
public class EndedExecution implements Execution {
    private final CompletableFuture<Result> result;

    /** With its result. */
    public EndedExecution(Result result) {
        this.result = CompletableFuture.completedFuture(result);
    }

    /** With the result of a job that turned out to be invalid when it was to be started. */
    public EndedExecution(Plan plan, InvalidJob invalid) {
        this(Result.notStarted(
                plan.id(), new Outcome.Invalid(invalid.errors()), plan.reasons(), Instant.now(), Instant.now()));
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
    public UsageSample sample() {
        return new UsageSample(Duration.ZERO, null, null, null);
    }

    @Override
    public void close() {}
}
