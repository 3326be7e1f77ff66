package dev.cordon.server.http;

import dev.cordon.Cordon;
import dev.cordon.host.Diagnosis;
import dev.cordon.host.Doctor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What the doctor found, not older than a minute: a probe that asks every second does not make a jail every second. */
public final class Readiness {
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final Cordon cordon;
    private final Path state;
    private final ReentrantLock examining = new ReentrantLock();
    private volatile @Nullable Diagnosis found;
    private volatile long at;

    /** With the engine that jobs run in, and the state directory of its machines. */
    public Readiness(Cordon cordon, Path state) {
        this.state = state;
        this.cordon = cordon;
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
                known = Doctor.ofThisHost(cordon::run, state).run();
                found = known;
                at = System.nanoTime();
            }
            return known;
        } finally {
            examining.unlock();
        }
    }
}
