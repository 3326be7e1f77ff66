package dev.cordon.engine.sandbox;

import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.lease.SandboxLease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Why a sandbox ends, which the first to say so decides, and that everything of it is given back once. */
final class SandboxClosing {
    private final CompletableFuture<SandboxEndReason> end = new CompletableFuture<>();
    private final AtomicReference<@Nullable SandboxEndReason> reason = new AtomicReference<>();
    private final AtomicBoolean begun = new AtomicBoolean();

    /** Null while nobody has ended it. */
    @Nullable
    SandboxEndReason reason() {
        return reason.get();
    }

    void because(SandboxEndReason why) {
        reason.compareAndSet(null, why);
    }

    /** Completed when everything was given back. */
    CompletableFuture<SandboxEndReason> future() {
        return end;
    }

    /** Gives everything back on a thread of its own; a second call does nothing. */
    void begin(SandboxLease lease, Runnable onEnd) {
        if (begun.compareAndSet(false, true)) {
            Thread.ofVirtual().name("cordon-end").start(() -> giveBack(lease, onEnd));
        }
    }

    private void giveBack(SandboxLease lease, Runnable onEnd) {
        try {
            if (reason.get() == null) {
                because(lease.events().outOfMemory() ? SandboxEndReason.OUT_OF_MEMORY : SandboxEndReason.FAILED);
            }
        } finally {
            try {
                lease.release();
            } finally {
                onEnd.run();
                SandboxEndReason why = reason.get();
                end.complete(why == null ? SandboxEndReason.FAILED : why);
            }
        }
    }
}
