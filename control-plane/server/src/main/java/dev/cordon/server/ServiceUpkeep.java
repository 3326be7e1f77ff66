package dev.cordon.server;

import dev.cordon.server.route.ServiceReadiness;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.StorageUnavailable;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the service does unasked: looks at the host at its start and then every minute, so that who reads the figures alone learns of a
 * host that changed; and forgets old jobs every ten minutes. A look makes one jail.
 */
final class ServiceUpkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceUpkeep.class);
    private static final Duration PRUNED = Duration.ofMinutes(10);
    private static final Duration LOOKED = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ScheduledExecutorService executor;

    private ServiceUpkeep(ScheduledExecutorService executor) {
        this.executor = executor;
    }

    static ServiceUpkeep start(ServiceReadiness readiness, JobHistory history) {
        return start(readiness, () -> prune(history), LOOKED);
    }

    /** With another time between looks. */
    static ServiceUpkeep start(ServiceReadiness readiness, Runnable prune, Duration looked) {
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("cordon-upkeep").factory());
        Look look = new Look(readiness);
        var _ = executor.scheduleWithFixedDelay(look, 0, looked.toMillis(), TimeUnit.MILLISECONDS);
        var _ = executor.scheduleWithFixedDelay(prune, PRUNED.toSeconds(), PRUNED.toSeconds(), TimeUnit.SECONDS);
        return new ServiceUpkeep(executor);
    }

    /** Tells what it found when that is something else than before. */
    private static final class Look implements Runnable {
        private final ServiceReadiness readiness;
        private @Nullable Boolean before;

        Look(ServiceReadiness readiness) {
            this.readiness = readiness;
        }

        @Override
        public void run() {
            try {
                boolean usable = readiness.look().usable();
                if (before == null || before != usable) {
                    tell(usable);
                }
                before = usable;
            } catch (RuntimeException e) {
                LOG.error("the host cannot be looked at", e);
                before = null;
            }
        }

        private static void tell(boolean usable) {
            if (usable) {
                LOG.info("ready: jobs can run here");
            } else {
                LOG.error("not ready: jobs cannot run here; cordon doctor tells why");
            }
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
