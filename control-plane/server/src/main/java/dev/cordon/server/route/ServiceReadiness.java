package dev.cordon.server.route;

import dev.cordon.doctor.HostDiagnosis;
import dev.cordon.server.job.ScopedLock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether jobs can run now. What the doctor found is not older than a minute: a probe that asks every second does not make a jail every
 * second.
 */
public final class ServiceReadiness {
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final Supplier<HostDiagnosis> doctor;
    private final BooleanSupplier writing;
    private final ScopedLock examining = new ScopedLock();
    private volatile @Nullable HostDiagnosis found;
    private volatile long at;

    /**
     * With those who know.
     *
     * @param doctor  looks at the host
     * @param writing whether jobs can be recorded and written down; as long as they cannot, none is started
     */
    public ServiceReadiness(Supplier<HostDiagnosis> doctor, BooleanSupplier writing) {
        this.doctor = doctor;
        this.writing = writing;
    }

    /** Whether jobs can run. */
    boolean ready() {
        return writing.getAsBoolean() && diagnosis().usable();
    }

    /** Whether the host was ready at the last look. */
    public boolean wasReady() {
        HostDiagnosis known = found;
        return known != null && known.usable() && writing.getAsBoolean();
    }

    /** What was found, looked at anew when it is too old. */
    public HostDiagnosis diagnosis() {
        return notOlderThan(FRESH);
    }

    /** What is found now. */
    public HostDiagnosis look() {
        return notOlderThan(Duration.ZERO);
    }

    private HostDiagnosis notOlderThan(Duration age) {
        HostDiagnosis known = found;
        if (known != null && System.nanoTime() - at < age.toNanos()) {
            return known;
        }
        try (ScopedLock.Held _ = examining.hold()) {
            known = found;
            if (known == null || System.nanoTime() - at >= age.toNanos()) {
                known = examined();
                at = System.nanoTime();
            }
            return known;
        }
    }

    private HostDiagnosis examined() {
        HostDiagnosis now = null; // a look that fails leaves nothing that was found usable
        try {
            now = doctor.get();
            return now;
        } finally {
            found = now;
        }
    }
}
