package dev.cordon.interpreter;

import dev.cordon.job.Job;
import dev.cordon.job.Language;
import dev.cordon.result.Result;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where an interpreter runs: starts its driver as a command of a sandbox. */
@FunctionalInterface
public interface InterpreterHost {
    /**
     * Starts a command whose input is fed and whose output is read by the caller. One that could not be started is over already.
     *
     * @param job what to start; the seat adds how long it may run at most
     */
    Program start(Job job);

    /** Nanoseconds since some moment; they stand still while the sandbox is paused. */
    default long awakeNanos() {
        return System.nanoTime();
    }

    /**
     * Asks whether code may be run. Called before each run, also of code that then waits for its interpreter.
     *
     * @param language what it is written in
     * @param limits   what the caller asks for
     */
    default Turn judge(Language language, String code, RunLimits limits) {
        return new Turn.Granted(limits, evaluation -> {}, why -> {});
    }

    /** The answer to a run. */
    sealed interface Turn {
        /**
         * It may not be.
         *
         * @param reasons    why
         * @param retryAfter when it may be allowed; null when waiting does not help
         */
        record Refused(List<String> reasons, @Nullable Duration retryAfter) implements Turn {
            /** Copies the reasons. */
            public Refused {
                reasons = List.copyOf(reasons);
            }
        }

        /**
         * It may be. One of the two is called once, and returns when the end is recorded.
         *
         * @param limits what holds: never above what was asked for
         * @param ended  takes what came of it
         * @param failed takes why it did not begin
         */
        record Granted(RunLimits limits, Consumer<Evaluation> ended, Consumer<String> failed) implements Turn {}
    }

    /** A command that was started. Closing it ends the command and what it started. */
    interface Program extends AutoCloseable {
        /** Its standard input. */
        OutputStream stdin();

        /** Its standard output. */
        InputStream stdout();

        /** Its end; never exceptionally. */
        CompletableFuture<Result> result();

        @Override
        void close();
    }
}
