package dev.cordon.cli.terminal;

import dev.cordon.Cordon;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.result.UsageSample;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** A job that was started, in this process or by a service. Its output goes to whoever listens while its end is awaited. */
public interface AwaitedJob<T> extends JobInterruption.Cancellation, AutoCloseable {
    /** Waits until it is over, and says how it ended. */
    T await() throws CommandFailure, IOException;

    /** What it took over time, as far as somebody looked. */
    default List<UsageSample> samples() {
        return List.of();
    }

    @Override
    void close();

    /** This job with its end in another form. */
    default <R> AwaitedJob<R> map(Function<T, R> form) {
        AwaitedJob<T> job = this;
        return new AwaitedJob<>() {
            @Override
            public void cancel() {
                job.cancel();
            }

            @Override
            public R await() throws CommandFailure, IOException {
                return form.apply(job.await());
            }

            @Override
            public void close() {
                job.close();
            }
        };
    }

    /** The result of a job that was not started. */
    static Result refused(Outcome outcome) {
        Instant now = Instant.now();
        return Result.notStarted(Cordon.newId(), outcome, List.of(), now, now);
    }

    /** A job that ended before it began. */
    record Ended(Result await) implements AwaitedJob<Result> {
        public Ended(Outcome outcome) {
            this(refused(outcome));
        }

        @Override
        public void cancel() {}

        @Override
        public void close() {}
    }
}
