package dev.cordon.engine.lease;

import dev.cordon.engine.supervisor.SupervisorLink;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A supervisor that waits for its plan.
 *
 * @param pending what it was started on
 * @param link    the way to it; nobody hears of it yet
 * @param made    whether the cgroups of its sandbox are there
 */
public record WaitingSupervisor(PendingLease pending, SupervisorLink link, boolean made) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Ends it, and gives back what it stands on. */
    public void release() {
        link.abandon();
        pending.release();
    }

    /** Ends the supervisor; the future completes when it is gone, or after a while. */
    CompletableFuture<Void> end() {
        CompletableFuture<Void> gone = link.gone();
        release();
        return gone.completeOnTimeout(null, PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
