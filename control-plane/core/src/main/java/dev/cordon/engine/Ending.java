package dev.cordon.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Why a sandbox ends, which the first to say so decides, and that everything of it is given back once. */
final class Ending {
    private final CompletableFuture<SandboxEnd> end = new CompletableFuture<>();
    private final AtomicReference<@Nullable SandboxEnd> reason = new AtomicReference<>();
    private final AtomicBoolean begun = new AtomicBoolean();

    /** Null while nobody has ended it. */
    @Nullable
    SandboxEnd reason() {
        return reason.get();
    }

    void because(SandboxEnd why) {
        reason.compareAndSet(null, why);
    }

    /** Completed when everything was given back. */
    CompletableFuture<SandboxEnd> future() {
        return end;
    }

    /** Gives everything back on a thread of its own; a second call does nothing. */
    void begin(Ground ground, Runnable onEnd) {
        if (begun.compareAndSet(false, true)) {
            Thread.ofVirtual().name("cordon-end").start(() -> giveBack(ground, onEnd));
        }
    }

    private void giveBack(Ground ground, Runnable onEnd) {
        try {
            if (reason.get() == null) {
                because(ground.events().outOfMemory() ? SandboxEnd.OUT_OF_MEMORY : SandboxEnd.FAILED);
            }
        } finally {
            try {
                ground.release();
            } finally {
                onEnd.run();
                SandboxEnd why = reason.get();
                end.complete(why == null ? SandboxEnd.FAILED : why);
            }
        }
    }
}
