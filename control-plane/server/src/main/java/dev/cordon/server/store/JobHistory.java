package dev.cordon.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every job that was accepted, with its end. A job's end is written once: later ones are ignored. */
public final class JobHistory {
    private static final Logger LOG = LoggerFactory.getLogger(JobHistory.class);

    private static final String COLUMNS =
            "SELECT id, owner, state, outcome, status, labels, created, finished, body FROM jobs";

    /** Without what is large and not listed, which need not come into memory; of collected files their number. */
    private static final String LISTED = """
        SELECT id, owner, state, outcome, status, labels, created, finished, CASE WHEN json_valid(body) THEN json_set(
            json_remove(body, '$.stdout', '$.stderr', '$.stdout_base64', '$.stderr_base64', '$.artifacts'),
            '$.artifact_count', coalesce(json_array_length(body, '$.artifacts'), 0)) ELSE body END AS body FROM jobs
        """;

    private static final String INSERT = "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String ENDED = INSERT
            + " ON CONFLICT (id) DO UPDATE SET state = excluded.state, outcome = excluded.outcome,"
            + " status = excluded.status, finished = excluded.finished, body = excluded.body"
            + " WHERE state <> 'finished'";

    private static final SqlStatement ROWS = new SqlStatement("SELECT count(*) FROM jobs");

    private static final SqlStatement OUTPUT = new SqlStatement("SELECT total(size) FROM outputs");

    /** When output is above its bound, so much goes that not every job that ends makes something go. */
    private static final double ROOM = 0.9;

    /** The table may hold a tenth more jobs than are kept. */
    private static final int PART_ABOVE = 10;

    /** Of the file, 64 MiB: others wait to write meanwhile. */
    private static final int PAGES_AT_ONCE = 16_384;

    /**
     * What is remembered.
     *
     * @param jobs   how many
     * @param age    how long
     * @param output the bytes of all output that is kept outside the table
     */
    public record Bounds(int jobs, Duration age, long output) {}

    private final SqliteDatabase database;
    private final OutputFiles outputs;
    private final Bounds bounds;
    /** What the files hold together; only the writing thread changes it. */
    private final AtomicLong kept = new AtomicLong();
    /** How many jobs the table has at most: what was forgotten since is in it. */
    private final AtomicLong rows = new AtomicLong();
    /** With more of them, some are forgotten at once and not only when the time for it comes. */
    private final AtomicLong tooMany = new AtomicLong();

    /** In this file, and those of a directory that nobody else uses. */
    public JobHistory(SqliteDatabase database, OutputFiles outputs, Bounds bounds) throws IOException {
        this.database = database;
        this.outputs = outputs;
        this.bounds = bounds;
        SqlStatement known = new SqlStatement("SELECT id FROM outputs");
        kept.set(database.read(OUTPUT::number));
        outputs.keepOnly(Set.copyOf(database.read(connection -> known.all(connection, row -> row.getString("id")))));
        counted(database.read(ROWS::number));
    }

    private void counted(long number) {
        rows.set(number);
        tooMany.set(Math.max(bounds.jobs(), number) + Math.max(1, bounds.jobs() / PART_ABOVE));
    }

    /** Where jobs are whole whose output is too large for the table. */
    public OutputFiles outputs() {
        return outputs;
    }

    /** Notes a job that was accepted. */
    public CompletableFuture<Integer> accepted(JobRow row) {
        return database.write(connection -> insert(connection, row)).whenComplete((_, _) -> forgetSome());
    }

    /** Notes a job that was accepted if it is the first with its key; else nothing is written. */
    public IdempotentRequest.Claim accepted(JobRow row, IdempotentRequest.Key key) {
        IdempotentRequest.Claim taken = database.written(connection -> {
            IdempotentRequest.Claim claim = IdempotentRequest.claim(connection, row.owner(), key, row.id());
            if (claim instanceof IdempotentRequest.Claim.First) {
                insert(connection, row);
            }
            return claim;
        });
        forgetSome();
        return taken;
    }

    /** Nobody waits for it: it is the next thing that is written. */
    private void forgetSome() {
        if (rows.get() <= tooMany.get()) {
            return;
        }
        tooMany.set(Long.MAX_VALUE); // until it is counted anew
        CompletableFuture<List<String>> _ = database.write(this::forget).whenComplete((forgotten, failure) -> {
            if (failure == null) {
                remove(forgotten);
            } else {
                tooMany.set(bounds.jobs());
                LOG.warn("old jobs cannot be forgotten now: {}", failure.toString());
            }
        });
    }

    private int insert(Connection connection, JobRow row) throws SQLException {
        rows.incrementAndGet();
        return insertion(INSERT, row).update(connection);
    }

    /** Writes a job's end, also of one whose beginning is not there; 0 when it has an end already. */
    public CompletableFuture<Integer> finished(JobRow row) {
        return database.write(connection -> {
                    int written = insertion(ENDED, row).update(connection);
                    return new Ended(
                            written,
                            written == 0 || row.whole() == null ? List.of() : keep(connection, row, size(row.whole())));
                })
                .thenApply(ended -> {
                    remove(ended.forgotten());
                    return ended.written();
                });
    }

    /** How many rows were written, and the files that had to go for them. */
    private record Ended(int written, List<String> forgotten) {}

    private List<String> keep(Connection connection, JobRow row, long size) throws SQLException {
        new SqlStatement(
                        "INSERT OR REPLACE INTO outputs (id, owner, size) VALUES (?, ?, ?)",
                        row.id(),
                        row.owner(),
                        size)
                .update(connection);
        if (kept.addAndGet(size) <= bounds.output()) {
            return List.of();
        }
        List<String> forgotten = HistoryPruning.bySize(connection, (long) (bounds.output() * ROOM));
        count(connection);
        return forgotten;
    }

    /** Counted anew: a transaction that was rolled back counted for nothing. */
    private void count(Connection connection) throws SQLException {
        kept.set(OUTPUT.number(connection));
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new StorageUnavailable(file + " cannot be read", e);
        }
    }

    private void remove(List<String> ids) {
        try {
            outputs.remove(ids);
        } catch (IOException e) {
            LOG.warn("output of forgotten jobs stays until the next start: {}", e.toString());
        }
    }

    private static SqlStatement insertion(String text, JobRow row) {
        return new SqlStatement(
                text,
                row.id(),
                row.owner(),
                row.state(),
                row.outcome(),
                row.status(),
                encoded(row.labels()),
                row.created().toEpochMilli(),
                row.finished() == null ? null : row.finished().toEpochMilli(),
                row.body());
    }

    /** Forgets a job that was not started after all, and its key. */
    public void withdrawn(String id) {
        database.written(connection -> {
            IdempotentRequest.release(connection, id);
            return new SqlStatement("DELETE FROM jobs WHERE id = ?", id).update(connection);
        });
    }

    /** One job. */
    public Optional<JobRow> find(String id) {
        SqlStatement outside = new SqlStatement("SELECT 1 FROM outputs WHERE id = ?", id);
        return database.read(connection -> new SqlStatement(COLUMNS + " WHERE id = ?", id)
                .first(connection, row -> row(row, outside.number(connection) == 1 ? outputs.of(id) : null)));
    }

    /** Jobs, the newest first, without their output and the names of their files. */
    public List<JobRow> list(JobFilter filter) {
        StringBuilder sql = new StringBuilder(LISTED).append(" WHERE 1 = 1");
        List<Object> values = new ArrayList<>();
        condition(sql, values, " AND owner = ?", filter.owner());
        if (filter.open() != null) {
            sql.append(filter.open() ? " AND state <> 'finished'" : " AND state = 'finished'");
        }
        condition(sql, values, " AND id < ?", filter.before());
        condition(
                sql,
                values,
                " AND created >= ?",
                filter.since() == null ? null : filter.since().toEpochMilli());
        filter.labels()
                .forEach((name, value) ->
                        condition(sql, values, " AND instr(labels, ?) > 0", "\n" + name + "=" + value + "\n"));
        sql.append(" ORDER BY id DESC LIMIT ").append(filter.limit());
        SqlStatement select = new SqlStatement(sql.toString(), values.toArray());
        return database.read(connection -> select.all(connection, row -> row(row, null)));
    }

    private static void condition(StringBuilder sql, List<Object> values, String condition, @Nullable Object value) {
        if (value != null) {
            sql.append(condition);
            values.add(value);
        }
    }

    /**
     * Gives every job without an end the end that the caller makes of it: those of a service that died.
     *
     * @param first told them before anything is written
     * @return how many
     */
    public int end(Consumer<List<JobRow>> first, UnaryOperator<JobRow> ending) {
        SqlStatement select = new SqlStatement(COLUMNS + " WHERE state <> 'finished'");
        List<JobRow> open = database.read(connection -> select.all(connection, row -> row(row, null)));
        first.accept(List.copyOf(open));
        List<CompletableFuture<Integer>> written =
                open.stream().map(row -> finished(ending.apply(row))).toList();
        written.forEach(CompletableFuture::join);
        return open.size();
    }

    /** Forgets what is older or more than the bounds say, and gives the room back to the file system. */
    public void prune() {
        remove(database.written(this::forget));
        database.written(connection -> {
            try (Statement vacuum = connection.createStatement()) {
                return vacuum.executeUpdate("PRAGMA incremental_vacuum(" + PAGES_AT_ONCE + ")");
            }
        });
    }

    private List<String> forget(Connection connection) throws SQLException {
        List<String> forgotten = HistoryPruning.byAgeAndNumber(connection, bounds);
        count(connection);
        counted(ROWS.number(connection));
        return forgotten;
    }

    /** Label names and values hold no line feeds, so that they can stand between them; see {@code Job.validate}. */
    private static String encoded(Map<String, String> labels) {
        StringBuilder text = new StringBuilder("\n");
        labels.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }

    private static Map<String, String> decoded(String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String line : text.split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0) { // another line is another hand's: it must not keep the service from starting
                labels.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return labels;
    }

    private static JobRow row(ResultSet row, @Nullable Path whole) throws SQLException {
        long finished = row.getLong("finished");
        boolean open = row.wasNull();
        return new JobRow(
                row.getString("id"),
                row.getString("owner"),
                row.getString("state"),
                row.getString("outcome"),
                row.getInt("status"),
                decoded(row.getString("labels")),
                Instant.ofEpochMilli(row.getLong("created")),
                open ? null : Instant.ofEpochMilli(finished),
                row.getString("body"),
                whole);
    }
}
