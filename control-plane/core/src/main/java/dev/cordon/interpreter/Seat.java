package dev.cordon.interpreter;

import dev.cordon.api.Job;
import dev.cordon.api.Result;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/** Where an interpreter runs: starts its driver as a command of a sandbox. */
@FunctionalInterface
public interface Seat {
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
