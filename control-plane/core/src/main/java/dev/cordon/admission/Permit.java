package dev.cordon.admission;

import dev.cordon.api.OutputListener;
import dev.cordon.api.Usage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The place of one job among its owner's. */
public final class Permit {
    private final AtomicBoolean given = new AtomicBoolean();
    private final Consumer<Usage> release;

    Permit(Consumer<Usage> release) {
        this.release = release;
    }

    /** A place where nobody counts. */
    public static Permit free() {
        return new Permit(ignored -> {});
    }

    /** Tells whoever waited for it. A listener that fails has no use for it. */
    void tell(OutputListener listener) {
        boolean told = false;
        try {
            listener.admitted();
            told = true;
        } finally {
            if (!told) {
                release(Usage.none());
            }
        }
    }

    /** A place that, when it is given back, does this as well. */
    public Permit then(Runnable also) {
        return new Permit(usage -> {
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
