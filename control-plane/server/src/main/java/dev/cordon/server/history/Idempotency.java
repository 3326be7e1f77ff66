package dev.cordon.server.history;

import java.security.MessageDigest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;

/** Which request of an owner came with which Idempotency-Key. */
public final class Idempotency {
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

    private final Database database;

    /** In this file. */
    public Idempotency(Database database) {
        this.database = database;
    }

    /** Takes a key for a job, or tells who has it. One thread writes, so that of many requests one is the first. */
    public Claim claim(String owner, String key, byte[] request, String job) {
        return database.written(connection -> {
            try (PreparedStatement expired = connection.prepareStatement(
                    "DELETE FROM idempotency WHERE owner = ? AND key = ? AND created < ?")) {
                expired.setString(1, owner);
                expired.setString(2, key);
                expired.setLong(3, Instant.now().minus(KEPT).toEpochMilli());
                expired.executeUpdate();
            }
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT request, job FROM idempotency WHERE owner = ? AND key = ?")) {
                select.setString(1, owner);
                select.setString(2, key);
                ResultSet row = select.executeQuery();
                if (row.next()) {
                    return MessageDigest.isEqual(row.getBytes("request"), request)
                            ? new Claim.Repeated(row.getString("job"))
                            : new Claim.Reused();
                }
            }
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO idempotency VALUES (?, ?, ?, ?, ?)")) {
                insert.setString(1, owner);
                insert.setString(2, key);
                insert.setBytes(3, request);
                insert.setString(4, job);
                insert.setLong(5, Instant.now().toEpochMilli());
                insert.executeUpdate();
            }
            return new Claim.First();
        });
    }

    /** Gives a key back whose request was refused. */
    public void release(String owner, String key) {
        database.written(connection -> {
            try (PreparedStatement delete =
                    connection.prepareStatement("DELETE FROM idempotency WHERE owner = ? AND key = ?")) {
                delete.setString(1, owner);
                delete.setString(2, key);
                return delete.executeUpdate();
            }
        });
    }
}
