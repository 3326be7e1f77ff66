package dev.cordon.server.store;

import dev.cordon.result.Artifact;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The content of collected files, in pieces: many readers of large files hold little of them. They go with their job; when all of them
 * together take too much, the oldest of whoever has most go first.
 */
public final class ArtifactStore {
    private static final int PIECE = 256 << 10;

    /** What a file takes beside its content: also empty ones fill a disk. */
    private static final long OF_A_FILE = 1 << 10;

    /** When there is too much, so much goes that not every file that comes makes something go. */
    private static final double ROOM = 0.9;

    private static final String TOTAL = "SELECT coalesce(sum(size + " + OF_A_FILE + "), 0) FROM collected";

    /** As in {@link HistoryPruning}: the newest of everybody count before anybody's second newest. */
    private static final String OLDEST_OF_MOST = """
        DELETE FROM collected WHERE job <> ? AND job IN (SELECT job FROM (
            SELECT job, sum(much) OVER (ORDER BY own, job DESC) AS used FROM (
                SELECT job, much, sum(much) OVER (PARTITION BY owner ORDER BY job DESC) AS own FROM (
                    SELECT job, owner, sum(size + 1024) AS much FROM collected GROUP BY job, owner)))
            WHERE used > ?)
        """;

    private final Database database;
    private final long most;
    /** What there is at most: what was removed since is in it. The writing thread's own from the beginning on. */
    private long kept;
    /** Whether something made room in a transaction that may have been rolled back. */
    private boolean unsure;

    /** Keeps at most that many bytes. */
    public ArtifactStore(Database database, long most) {
        this.database = database;
        this.most = most;
        this.kept = database.written(ArtifactStore::total);
    }

    /**
     * A file that is kept.
     *
     * @param number its own
     * @param sha256 of its content, in hexadecimal digits
     * @param size   in bytes
     */
    public record Kept(long number, String sha256, long size) {}

    /** Keeps a file; it is on disk when this returns. */
    public void keep(String job, String owner, Artifact artifact, byte[] content) {
        var _ = database.written(connection -> {
            insert(connection, job, owner, artifact, content);
            kept += content.length + OF_A_FILE;
            if (unsure || kept > most) {
                kept = total(connection);
                unsure = false;
            }
            if (kept > most) {
                makeRoom(connection, job);
            }
            return content.length;
        });
    }

    private static void insert(Connection connection, String job, String owner, Artifact artifact, byte[] content)
            throws SQLException {
        try (PreparedStatement before =
                        connection.prepareStatement("DELETE FROM collected WHERE job = ? AND path = ?");
                PreparedStatement file = connection.prepareStatement(
                        "INSERT INTO collected (job, owner, path, sha256, size) VALUES (?, ?, ?, ?, ?) RETURNING"
                                + " number");
                PreparedStatement piece =
                        connection.prepareStatement("INSERT INTO pieces (file, place, content) VALUES (?, ?, ?)")) {
            before.setString(1, job);
            before.setString(2, artifact.path());
            before.executeUpdate();
            file.setString(1, job);
            file.setString(2, owner);
            file.setString(3, artifact.path());
            file.setString(4, artifact.sha256());
            file.setLong(5, content.length);
            long number;
            try (ResultSet row = file.executeQuery()) {
                row.next();
                number = row.getLong(1);
            }
            for (int at = 0; at < content.length; at += PIECE) {
                piece.setLong(1, number);
                piece.setLong(2, at / PIECE);
                piece.setBytes(3, Arrays.copyOfRange(content, at, Math.min(content.length, at + PIECE)));
                piece.executeUpdate();
            }
        }
    }

    /** One job's alone are within bounds of their own. */
    private void makeRoom(Connection connection, String latest) throws SQLException {
        unsure = true;
        try (PreparedStatement delete = connection.prepareStatement(OLDEST_OF_MOST)) {
            delete.setString(1, latest);
            delete.setLong(2, (long) (most * ROOM));
            delete.executeUpdate();
        }
    }

    private static long total(Connection connection) throws SQLException {
        try (PreparedStatement sum = connection.prepareStatement(TOTAL);
                ResultSet total = sum.executeQuery()) {
            return total.next() ? total.getLong(1) : 0;
        }
    }

    /** A file of a job. */
    public Optional<Kept> find(String job, String path) {
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(
                    "SELECT number, sha256, size FROM collected WHERE job = ? AND path = ?")) {
                select.setString(1, job);
                select.setString(2, path);
                try (ResultSet row = select.executeQuery()) {
                    return row.next()
                            ? Optional.of(new Kept(row.getLong(1), row.getString(2), row.getLong(3)))
                            : Optional.empty();
                }
            }
        });
    }

    /**
     * Writes a file out, one piece after the other; nothing is held while the reader takes its time.
     *
     * @throws IOException when the reader is gone, or the file is since it was found
     */
    public void send(Kept file, OutputStream reader) throws IOException {
        for (int place = 0; (long) place * PIECE < file.size(); place++) {
            reader.write(piece(file.number(), place)
                    .orElseThrow(() -> new IOException("the file made room for others while it was sent")));
        }
        reader.flush();
    }

    private Optional<byte[]> piece(long file, int place) {
        return database.read(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT content FROM pieces WHERE file = ? AND place = ?")) {
                select.setLong(1, file);
                select.setLong(2, place);
                try (ResultSet row = select.executeQuery()) {
                    return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
                }
            }
        });
    }
}
