package dev.cordon.server;

import dev.cordon.server.history.JobHistory;
import dev.cordon.server.history.StorageUnavailable;
import dev.cordon.server.http.Readiness;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the service does unasked: looks at the host once at its start, and forgets old jobs every ten minutes. */
final class Upkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final Duration PRUNED = Duration.ofMinutes(10);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ScheduledExecutorService executor;

    private Upkeep(ScheduledExecutorService executor) {
        this.executor = executor;
    }

    static Upkeep start(Readiness readiness, JobHistory history) {
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("cordon-upkeep").factory());
        executor.execute(() -> look(readiness));
        var _ = executor.scheduleWithFixedDelay(
                () -> prune(history), PRUNED.toSeconds(), PRUNED.toSeconds(), TimeUnit.SECONDS);
        return new Upkeep(executor);
    }

    private static void look(Readiness readiness) {
        try {
            if (readiness.diagnosis().usable()) {
                LOG.info("ready: jobs can run here");
            } else {
                LOG.error("not ready: jobs cannot run here; cordon doctor tells why");
            }
        } catch (RuntimeException e) {
            LOG.error("the host cannot be looked at", e);
        }
    }

    private static void prune(JobHistory history) {
        try {
            history.prune();
        } catch (StorageUnavailable e) {
            LOG.warn("old jobs cannot be forgotten now: {}", e.getMessage());
        }
    }

    /** Returns when the look at the host is over: the jail that it makes needs what is closed next. */
    @Override
    public void close() {
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("the look at the host goes on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
