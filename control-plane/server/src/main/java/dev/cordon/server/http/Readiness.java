package dev.cordon.server.http;

import dev.cordon.host.Diagnosis;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the doctor found, not older than a minute: a probe that asks every second does not make a jail every second. */
public final class Readiness {
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final Supplier<Diagnosis> doctor;
    private final BooleanSupplier recording;
    private final ReentrantLock examining = new ReentrantLock();
    private volatile @Nullable Diagnosis found;
    private volatile long at;

    /** With who looks at the host. */
    public Readiness(Supplier<Diagnosis> doctor) {
        this(doctor, () -> true);
    }

    /** With who looks at the host, and who knows whether jobs can be recorded: as long as they cannot, none is started. */
    public Readiness(Supplier<Diagnosis> doctor, BooleanSupplier recording) {
        this.doctor = doctor;
        this.recording = recording;
    }

    /** Whether jobs could run when somebody looked last; nobody is made to look. */
    public boolean wasReady() {
        Diagnosis known = found;
        return known != null && known.usable() && recording();
    }

    /** Whether jobs can be recorded; as long as they cannot, none is started. */
    boolean recording() {
        return recording.getAsBoolean();
    }

    /** What was found, looked at anew when it is too old. */
    public Diagnosis diagnosis() {
        Diagnosis known = found;
        if (known != null && System.nanoTime() - at < FRESH.toNanos()) {
            return known;
        }
        examining.lock();
        try {
            known = found;
            if (known == null || System.nanoTime() - at >= FRESH.toNanos()) {
                known = doctor.get();
                found = known;
                at = System.nanoTime();
            }
            return known;
        } finally {
            examining.unlock();
        }
    }
}
