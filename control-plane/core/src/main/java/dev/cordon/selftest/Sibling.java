package dev.cordon.selftest;

import dev.cordon.RunningJob;
import dev.cordon.api.Job;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Another job that plays one of the program's roles while a probe runs beside it. */
final class Sibling implements AutoCloseable {
    /** Standard input that says nothing and ends when it is told to. */
    private static final class Silence extends InputStream {
        private final CountDownLatch end = new CountDownLatch(1);

        @Override
        public int read() throws IOException {
            try {
                end.await();
                return -1;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public void close() {
            end.countDown();
        }
    }

    private final Silence input;
    private final RunningJob job;
    private final StringBuffer said;

    private Sibling(Silence input, RunningJob job, StringBuffer said) {
        this.input = input;
        this.job = job;
        this.said = said;
    }

    /** Starts the job and waits until it says that it is ready. */
    static Sibling start(Bench bench, Job job) throws IOException, InterruptedException {
        Silence input = new Silence();
        CompletableFuture<Void> ready = new CompletableFuture<>();
        StringBuffer said = new StringBuffer();
        RunningJob running = bench.cordon().start(job.stdin(input), (source, bytes) -> {
            said.append(new String(bytes, StandardCharsets.UTF_8));
            if (said.indexOf("ready\n") >= 0) {
                ready.complete(null);
            }
        });
        Sibling sibling = new Sibling(input, running, said);
        running.result().whenComplete((result, error) -> ready.completeExceptionally(
                new IOException("the other job ended: " + (result == null ? error : result.outcome()))));
        try {
            ready.get(Bench.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return sibling;
        } catch (ExecutionException | TimeoutException e) {
            sibling.close();
            throw new IOException("the other job is not ready: " + e.getMessage(), e);
        }
    }

    /** Whether it still runs. */
    boolean isAlive() {
        return !job.result().isDone();
    }

    /** What it tried before it was ready. */
    Transcript said() {
        return Transcript.of(said.toString(), 0);
    }

    @Override
    public void close() {
        input.close();
        job.close();
    }
}
