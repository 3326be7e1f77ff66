package dev.cordon.server.store;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is kept.
 *
 * @param id       its name
 * @param owner    whose it is
 * @param state    queued, starting, running or finished
 * @param outcome  how it ended; null before
 * @param status   the HTTP status of an answer that carries the end; 200 before
 * @param labels   the caller's notes
 * @param created  when it was taken
 * @param finished when it was over; null before
 * @param body     the job as JSON, without its output when that is outside
 * @param whole    the file of the whole job; null when the body is whole
 */
public record JobRow(
        String id,
        String owner,
        String state,
        @Nullable String outcome,
        int status,
        Map<String, String> labels,
        Instant created,
        @Nullable Instant finished,
        String body,
        @Nullable Path whole) {
    /** Copies the map. */
    public JobRow {
        labels = Map.copyOf(labels);
    }
}
