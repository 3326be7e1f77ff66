package dev.cordon.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the history forgets: the old, and the oldest of whoever has most. Owners with little lose nothing to one with much: the newest job of
 * everybody counts before anybody's second newest.
 */
final class HistoryPruning {
    private static final String OLD = "SELECT id FROM jobs WHERE state = 'finished' AND created < ?";

    private static final String MANY = """
        SELECT id FROM (SELECT id, state, row_number() OVER (PARTITION BY owner ORDER BY id DESC) AS place FROM jobs)
        WHERE state = 'finished' ORDER BY place DESC, id LIMIT max(0, (SELECT count(*) FROM jobs) - ?)
        """;

    private static final String LARGE = """
        SELECT id FROM (SELECT id, sum(size) OVER (ORDER BY own, id DESC) AS used
            FROM (SELECT id, size, sum(size) OVER (PARTITION BY owner ORDER BY id DESC) AS own FROM outputs))
        WHERE used > ?
        """;

    private static final String KEYS = """
        DELETE FROM idempotency WHERE created < ? OR (owner, key) IN (SELECT owner, key
            FROM (SELECT owner, key, row_number() OVER (PARTITION BY owner ORDER BY created DESC) AS place FROM idempotency)
            ORDER BY place DESC LIMIT max(0, (SELECT count(*) FROM idempotency) - ?))
        """;

    private HistoryPruning() {}

    /** Forgets jobs that are older than the bounds say, or too many; the ids of those whose output is outside. */
    static List<String> byAgeAndNumber(Connection connection, JobHistory.Bounds bounds) throws SQLException {
        Instant now = Instant.now();
        List<String> files = new ArrayList<>();
        files.addAll(forget(connection, OLD, now.minus(bounds.age()).toEpochMilli()));
        files.addAll(forget(connection, MANY, bounds.jobs()));
        new SqlStatement(KEYS, now.minus(IdempotentRequest.KEPT).toEpochMilli(), bounds.jobs()).update(connection);
        return files;
    }

    /** Forgets jobs until the output outside fits into the bound; their ids. */
    static List<String> bySize(Connection connection, long bytes) throws SQLException {
        return forget(connection, LARGE, bytes);
    }

    private static List<String> forget(Connection connection, String which, long bound) throws SQLException {
        List<String> outside = new SqlStatement("SELECT id FROM outputs WHERE id IN (" + which + ")", bound)
                .all(connection, row -> row.getString(1));
        new SqlStatement("DELETE FROM jobs WHERE id IN (" + which + ")", bound).update(connection);
        for (String id : outside) {
            new SqlStatement("DELETE FROM outputs WHERE id = ?", id).update(connection);
        }
        return outside;
    }
}
