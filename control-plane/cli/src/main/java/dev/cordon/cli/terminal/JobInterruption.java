package dev.cordon.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C and termination while a job runs: the job is cancelled, and the JVM waits until its end has been reported and
 * everything of it is gone. The JVM itself then ends with 130 (or 143), which is what a cancelled job is to end with.
 */
public final class JobInterruption
        implements Runnable, AutoCloseable { // itself the hook: a lambda would cost each start

    private static final int PATIENCE_SECONDS = 5;

    private final CountDownLatch reported = new CountDownLatch(1);
    private final Thread hook = new Thread(this, "cordon-interrupted");
    private volatile @Nullable Cancellation cancel;

    public JobInterruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Ends what runs. */
    @FunctionalInterface
    public interface Cancellation {
        void cancel();
    }

    /** From here on this cancels what runs. */
    public void cancels(Cancellation action) {
        cancel = action;
    }

    /** The result has been reported. */
    @Override
    public void close() {
        reported.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            return;
        }
    }

    /** After the deadline the JVM goes all the same; the supervisor then ends the job. */
    @Override
    public void run() {
        Cancellation action = cancel;
        if (action == null) {
            return;
        }
        action.cancel();
        try {
            boolean inTime = reported.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assert inTime : "a cancelled job did not end";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
