package dev.cordon.server.store;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs of the history.
 *
 * @param owner  whose; null for everybody's
 * @param open   whether not over; null for any
 * @param labels with all of these
 * @param since  taken at this time or later; null for any time
 * @param before with an id below this one: the last of the page before; null for the newest
 * @param limit  at most so many
 */
public record JobFilter(
        @Nullable String owner,
        @Nullable Boolean open,
        Map<String, String> labels,
        @Nullable Instant since,
        @Nullable String before,
        int limit) {
    /** Copies the map. */
    public JobFilter {
        labels = Map.copyOf(labels);
    }
}
