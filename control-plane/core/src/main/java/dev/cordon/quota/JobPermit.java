package dev.cordon.quota;

import dev.cordon.result.OutputListener;
import dev.cordon.result.Usage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The place of one job among its owner's. */
public final class JobPermit {
    private final AtomicBoolean given = new AtomicBoolean();
    private final Consumer<Usage> release;

    JobPermit(Consumer<Usage> release) {
        this.release = release;
    }

    /** A place where nobody counts. */
    public static JobPermit free() {
        return new JobPermit(ignored -> {});
    }

    /** Tells whoever waited for it. A listener that fails has no use for it. */
    void tell(OutputListener listener) {
        try {
            listener.admitted();
        } catch (Throwable e) { // of a listener in another language, too
            release(Usage.none());
            throw e;
        }
    }

    /** A place that, when it is given back, does this as well. */
    public JobPermit then(Runnable also) {
        return new JobPermit(usage -> {
            try {
                also.run();
            } finally {
                release(usage);
            }
        });
    }

    /** Gives the place back; the second time nothing happens. */
    public void release(Usage usage) {
        if (given.compareAndSet(false, true)) {
            release.accept(usage);
        }
    }
}
