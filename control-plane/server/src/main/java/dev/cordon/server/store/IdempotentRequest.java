package dev.cordon.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * Which request of an owner came with which Idempotency-Key. A key is taken in the transaction that writes its job down, so that there is
 * none without the other; it outlives its job, so that a job that was forgotten is not run again.
 */
public final class IdempotentRequest {
    static final Duration KEPT = Duration.ofHours(24);

    /** Who was first with a key. */
    public sealed interface Claim {
        /** This request. */
        record First() implements Claim {}

        /**
         * An earlier one, with the same content.
         *
         * @param job what it started
         */
        record Repeated(String job) implements Claim {}

        /** An earlier one, with other content. */
        record Reused() implements Claim {}
    }

    /**
     * A key of a request.
     *
     * @param text    as the client wrote it
     * @param request what the request was, in short: equal for equal ones
     */
    public record Key(String text, String request) {}

    private IdempotentRequest() {}

    /** Takes a key for a job, or tells who has it. One thread writes, so that of many requests one is the first. */
    static Claim claim(Connection connection, String owner, Key key, String job) throws SQLException {
        try (PreparedStatement expired =
                connection.prepareStatement("DELETE FROM idempotency WHERE owner = ? AND key = ? AND created < ?")) {
            expired.setString(1, owner);
            expired.setString(2, key.text());
            expired.setLong(3, Instant.now().minus(KEPT).toEpochMilli());
            expired.executeUpdate();
        }
        try (PreparedStatement select =
                connection.prepareStatement("SELECT request, job FROM idempotency WHERE owner = ? AND key = ?")) {
            select.setString(1, owner);
            select.setString(2, key.text());
            ResultSet row = select.executeQuery();
            if (row.next()) {
                return key.request().equals(row.getString("request"))
                        ? new Claim.Repeated(row.getString("job"))
                        : new Claim.Reused();
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO idempotency VALUES (?, ?, ?, ?, ?)")) {
            insert.setString(1, owner);
            insert.setString(2, key.text());
            insert.setString(3, key.request());
            insert.setString(4, job);
            insert.setLong(5, Instant.now().toEpochMilli());
            insert.executeUpdate();
        }
        return new Claim.First();
    }

    /** Gives the key of a job back that was not started after all. */
    static void release(Connection connection, String job) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM idempotency WHERE job = ?")) {
            delete.setString(1, job);
            delete.executeUpdate();
        }
    }
}
