package dev.cordon;

import dev.cordon.engine.Execution;
import dev.cordon.job.JobId;
import dev.cordon.job.Terminal;
import dev.cordon.result.Result;
import dev.cordon.result.UsageSample;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A job that was submitted. It may be over already: an invalid or denied one is, with the outcome that says so. Closing it ends the job
 * and returns when nothing of it is left.
 */
public final class RunningJob implements AutoCloseable {
    private final JobId id;
    private final @Nullable Execution execution;
    private final CompletableFuture<Result> result;

    /** One that runs; the result may come later than the execution's, when it has been recorded. */
    RunningJob(JobId id, Execution execution, CompletableFuture<Result> result) {
        this.id = id;
        this.execution = execution;
        this.result = result;
    }

    /** One that does not. */
    RunningJob(JobId id, CompletableFuture<Result> result) {
        this.id = id;
        this.execution = null;
        this.result = result;
    }

    /** The run. */
    public JobId id() {
        return id;
    }

    /**
     * The result when everything of the job is gone. Completing or cancelling this future changes nothing for the job, and what follows
     * it holds up neither the engine nor the audit log.
     */
    public CompletableFuture<Result> result() {
        return result.isDone() ? result.copy() : result.thenApplyAsync(Function.identity());
    }

    /**
     * Waits for the result.
     *
     * @throws InterruptedException when the waiting thread is interrupted; the job goes on
     */
    public Result await() throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the engine lost job " + id, e.getCause());
        }
    }

    /** Waits for the result. An interrupt of the calling thread cancels the job, and is kept. */
    Result awaitOrCancel() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return await();
                } catch (InterruptedException e) {
                    interrupted = true;
                    cancel();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Where the job's standard input is written to, for a job with {@link dev.cordon.job.Stdin#fed()}; closed for any other. A write
     * returns when the job's pipe has taken it. Closing it is the end of the job's input.
     */
    public OutputStream stdin() {
        return execution == null ? closed() : execution.stdin();
    }

    private static OutputStream closed() {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("the job did not start");
            }
        };
    }

    /**
     * What the job writes to standard output, as it comes, for a {@link dev.cordon.job.Job#streaming()} job; empty for any other. What is
     * left when the job ends can still be read. Closing it throws the rest away.
     */
    public InputStream stdout() {
        return execution == null ? InputStream.nullInputStream() : execution.stdout();
    }

    /** What the job writes to standard error, in the way of {@link #stdout}. */
    public InputStream stderr() {
        return execution == null ? InputStream.nullInputStream() : execution.stderr();
    }

    /** Changes the size of the job's terminal; nothing happens when it has none or is over. */
    public void resize(int rows, int columns) {
        Terminal size = new Terminal(rows, columns);
        if (execution != null) {
            execution.resize(size);
        }
    }

    /** Ends the job with {@code Cancelled}; nothing happens when it is over. */
    public void cancel() {
        if (execution != null) {
            execution.cancel();
        }
    }

    /** Sends a signal, by its number, to the command's process group; nothing happens when the job is over. */
    public void signal(int signal) {
        if (signal < 1 || signal > 64) {
            throw new IllegalArgumentException("a signal is between 1 and 64, not " + signal);
        }
        if (execution != null) {
            execution.signal(signal);
        }
    }

    /** What the job takes now; the fields are null where the host does not count or the job is over. */
    public UsageSample sample() {
        return execution == null ? new UsageSample(Duration.ZERO, null, null, null) : execution.sample();
    }

    @Override
    public void close() {
        if (execution != null) {
            execution.close();
        }
    }
}
