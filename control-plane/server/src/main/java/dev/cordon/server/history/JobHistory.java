package dev.cordon.server.history;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Every job that was accepted, with its end. A job's end is written once: later ones are ignored. */
public final class JobHistory {
    private static final String COLUMNS =
            "SELECT id, owner, state, outcome, status, labels, created, finished, body FROM jobs";

    private static final String INSERT = "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final Database database;

    /** In this file. */
    public JobHistory(Database database) {
        this.database = database;
    }

    /** Notes a job that was accepted. */
    public CompletableFuture<Integer> accepted(JobRow row) {
        return database.write(connection -> {
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                fill(insert, row);
                return insert.executeUpdate();
            }
        });
    }

    /** Writes a job's end, also of one whose beginning is not there; 0 when it has an end already. */
    public CompletableFuture<Integer> finished(JobRow row) {
        return database.write(connection -> {
            try (PreparedStatement update = connection.prepareStatement(INSERT
                    + " ON CONFLICT (id) DO UPDATE SET state = excluded.state, outcome = excluded.outcome,"
                    + " status = excluded.status, finished = excluded.finished, body = excluded.body"
                    + " WHERE state <> 'finished'")) {
                fill(update, row);
                return update.executeUpdate();
            }
        });
    }

    private static void fill(PreparedStatement insert, JobRow row) throws SQLException {
        insert.setString(1, row.id());
        insert.setString(2, row.owner());
        insert.setString(3, row.state());
        insert.setString(4, row.outcome());
        insert.setInt(5, row.status());
        insert.setString(6, encoded(row.labels()));
        insert.setLong(7, row.created().toEpochMilli());
        insert.setObject(8, row.finished() == null ? null : row.finished().toEpochMilli());
        insert.setString(9, row.body());
    }

    /** Forgets a job that was not started after all. */
    public void withdrawn(String id) {
        database.written(connection -> {
            try (PreparedStatement delete = connection.prepareStatement("DELETE FROM jobs WHERE id = ?")) {
                delete.setString(1, id);
                return delete.executeUpdate();
            }
        });
    }

    /** One job. */
    public Optional<JobRow> find(String id) {
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(COLUMNS + " WHERE id = ?")) {
                select.setString(1, id);
                ResultSet row = select.executeQuery();
                return row.next() ? Optional.of(row(row)) : Optional.empty();
            }
        });
    }

    /** Jobs, the newest first. */
    public List<JobRow> list(JobFilter filter) {
        StringBuilder sql = new StringBuilder(COLUMNS).append(" WHERE 1 = 1");
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
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(sql.toString())) {
                for (int i = 0; i < values.size(); i++) {
                    select.setObject(i + 1, values.get(i));
                }
                List<JobRow> jobs = new ArrayList<>();
                ResultSet rows = select.executeQuery();
                while (rows.next()) {
                    jobs.add(row(rows));
                }
                return jobs;
            }
        });
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
     * @return how many
     */
    public int end(UnaryOperator<JobRow> ending) {
        List<JobRow> open = new ArrayList<>();
        database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(COLUMNS + " WHERE state <> 'finished'")) {
                ResultSet rows = select.executeQuery();
                while (rows.next()) {
                    open.add(row(rows));
                }
                return open.size();
            }
        });
        List<CompletableFuture<Integer>> written =
                open.stream().map(row -> finished(ending.apply(row))).toList();
        written.forEach(CompletableFuture::join);
        return open.size();
    }

    /** Forgets what is older than that, and the oldest above that number. */
    public void prune(Duration age, int most) {
        long before = Instant.now().minus(age).toEpochMilli();
        database.written(connection -> {
            try (PreparedStatement old =
                            connection.prepareStatement("DELETE FROM jobs WHERE state = 'finished' AND created < ?");
                    PreparedStatement many =
                            connection.prepareStatement("DELETE FROM jobs WHERE state = 'finished' AND id <="
                                    + " (SELECT id FROM jobs ORDER BY id DESC LIMIT 1 OFFSET ?)");
                    PreparedStatement keys = connection.prepareStatement("DELETE FROM idempotency WHERE created < ?")) {
                old.setLong(1, before);
                many.setInt(1, most);
                keys.setLong(1, Instant.now().minus(Idempotency.KEPT).toEpochMilli());
                return old.executeUpdate() + many.executeUpdate() + keys.executeUpdate();
            }
        });
    }

    /** Label names and values hold no line feeds, so that they can stand between them. */
    private static String encoded(Map<String, String> labels) {
        StringBuilder text = new StringBuilder("\n");
        labels.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }

    private static Map<String, String> decoded(String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        text.lines().filter(line -> !line.isEmpty()).forEach(line -> {
            int equals = line.indexOf('=');
            labels.put(line.substring(0, equals), line.substring(equals + 1));
        });
        return labels;
    }

    private static JobRow row(ResultSet row) throws SQLException {
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
                row.getString("body"));
    }
}
