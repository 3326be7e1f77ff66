package dev.cordon.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the end of an audit log is vouched for outside of the log: at the latest after so many records or so much time, and when a file is
 * full or the writer ends.
 *
 * @param service  whether a service writes the log; commands that write a few records send no heads
 * @param journal  whether heads go to the journal, or syslog
 * @param records  after so many records
 * @param interval after so much time
 * @param key      the file of the key that signs them; null for none
 */
public record Checkpoints(
        boolean service,
        boolean journal,
        long records,
        Duration interval,
        @Nullable Path key) {
    /** Unless the operator says otherwise. */
    public static final Checkpoints USUAL = new Checkpoints(false, true, 1_000, Duration.ofMinutes(10), null);

    /** The name of the systemd credential that is the key where no setting names a file. */
    static final String CREDENTIAL = "audit-signing-key";

    /** Checks the bounds. */
    public Checkpoints {
        if (records < 1 || interval.toMillis() < 1) {
            throw new IllegalArgumentException("is not above zero");
        }
    }

    /** Whether heads are sent. */
    public boolean sent() {
        return service && journal;
    }

    /** The same of a service. */
    Checkpoints ofService() {
        return new Checkpoints(true, journal, records, interval, key);
    }
}
