package dev.cordon.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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
        Instant now = Instant.now();
        new SqlStatement(
                        "DELETE FROM idempotency WHERE owner = ? AND key = ? AND created < ?",
                        owner,
                        key.text(),
                        now.minus(KEPT).toEpochMilli())
                .update(connection);
        Optional<Claim> earlier = new SqlStatement(
                        "SELECT request, job FROM idempotency WHERE owner = ? AND key = ?", owner, key.text())
                .first(
                        connection,
                        row -> key.request().equals(row.getString("request"))
                                ? new Claim.Repeated(row.getString("job"))
                                : new Claim.Reused());
        if (earlier.isPresent()) {
            return earlier.get();
        }
        new SqlStatement(
                        "INSERT INTO idempotency VALUES (?, ?, ?, ?, ?)",
                        owner,
                        key.text(),
                        key.request(),
                        job,
                        now.toEpochMilli())
                .update(connection);
        return new Claim.First();
    }

    /** Gives the key of a job back that was not started after all. */
    static void release(Connection connection, String job) throws SQLException {
        new SqlStatement("DELETE FROM idempotency WHERE job = ?", job).update(connection);
    }
}
