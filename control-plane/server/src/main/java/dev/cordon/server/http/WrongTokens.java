package dev.cordon.server.http;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log that somebody tries tokens: one line a second at most, with how many there were, and never what was sent. */
final class WrongTokens {
    private static final Logger LOG = LoggerFactory.getLogger(WrongTokens.class);
    private static final long QUIET = Duration.ofSeconds(1).toNanos();

    private final LongSupplier nanos;
    private long told;
    private long count;
    private boolean any;

    WrongTokens() {
        this(System::nanoTime);
    }

    WrongTokens(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Somebody sent one. Those that come within the same second are told with the first that comes after it.
     *
     * @return how many were told of; 0 when it was not the time
     */
    synchronized long seen(String from) {
        long seen = ++count;
        long now = nanos.getAsLong();
        if (any && now - told < QUIET) {
            return 0;
        }
        LOG.warn("refused: {} requests with a token that is not known, or over; the last from {}", seen, from);
        any = true;
        told = now;
        count = 0;
        return seen;
    }
}
