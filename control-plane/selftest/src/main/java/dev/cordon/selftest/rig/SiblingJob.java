package dev.cordon.selftest.rig;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.job.Job;
import dev.cordon.job.Stdin;
import dev.cordon.result.OutputListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Another job that plays one of the program's roles while a probe runs beside it. */
public final class SiblingJob implements AutoCloseable {
    /** Keeps what the job says, and knows when it is ready. */
    private static final class Ear implements OutputListener {
        private final StringBuilder said = new StringBuilder();
        private final CompletableFuture<Void> ready = new CompletableFuture<>();

        @Override
        public synchronized void output(Source source, byte[] bytes) {
            said.append(new String(bytes, StandardCharsets.UTF_8));
            if (said.indexOf("ready\n") >= 0) {
                ready.complete(null);
            }
        }

        synchronized String said() {
            return said.toString();
        }
    }

    private final Ear ear = new Ear();
    private final RunningJob job;

    private SiblingJob(Cordon cordon, Job job) {
        this.job = cordon.start(job.stdin(Stdin.fed()), ear); // nobody feeds it: it waits
    }

    /** Starts the job and waits until it says that it is ready. */
    public static SiblingJob start(ProbeBox box, Job job) throws IOException, InterruptedException {
        return start(box.cordon(), job);
    }

    /** Starts the job in a Cordon that is not the one under test, and waits until it says that it is ready. */
    public static SiblingJob start(Cordon cordon, Job job) throws IOException, InterruptedException {
        SiblingJob sibling = new SiblingJob(cordon, job);
        try {
            Object first = CompletableFuture.anyOf(sibling.ear.ready, sibling.job.result())
                    .get(ProbeBox.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (sibling.ear.ready.isDone()) {
                return sibling;
            }
            throw new IOException("the other job ended before it was ready: " + first);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the other job is not ready: " + e, e);
        } finally {
            if (!sibling.ear.ready.isDone()) {
                sibling.close();
            }
        }
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return !job.result().isDone();
    }

    /** What it tried before it was ready. */
    public ProbeTranscript said() {
        return ProbeTranscript.of(ear.said(), 0);
    }

    @Override
    public void close() {
        job.close();
    }
}
