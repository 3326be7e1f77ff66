package dev.cordon.server.store;

import dev.cordon.result.Artifact;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
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

    private static final SqlStatement TOTAL =
            new SqlStatement("SELECT coalesce(sum(size + " + OF_A_FILE + "), 0) FROM collected");

    /** As in {@link HistoryPruning}: the newest of everybody count before anybody's second newest. */
    private static final String OLDEST_OF_MOST = """
        DELETE FROM collected WHERE job <> ? AND job IN (SELECT job FROM (
            SELECT job, sum(much) OVER (ORDER BY own, job DESC) AS used FROM (
                SELECT job, much, sum(much) OVER (PARTITION BY owner ORDER BY job DESC) AS own FROM (
                    SELECT job, owner, sum(size + 1024) AS much FROM collected GROUP BY job, owner)))
            WHERE used > ?)
        """;

    private final SqliteDatabase database;
    private final long most;
    /** What there is at most: what was removed since is in it. The writing thread's own from the beginning on. */
    private long kept;
    /** Whether something made room in a transaction that may have been rolled back. */
    private boolean unsure;

    /** Keeps at most that many bytes. */
    public ArtifactStore(SqliteDatabase database, long most) {
        this.database = database;
        this.most = most;
        this.kept = database.written(TOTAL::number);
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
                kept = TOTAL.number(connection);
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
        new SqlStatement("DELETE FROM collected WHERE job = ? AND path = ?", job, artifact.path()).update(connection);
        long number = new SqlStatement(
                        "INSERT INTO collected (job, owner, path, sha256, size) VALUES (?, ?, ?, ?, ?) RETURNING"
                                + " number",
                        job,
                        owner,
                        artifact.path(),
                        artifact.sha256(),
                        content.length)
                .number(connection);
        for (int at = 0; at < content.length; at += PIECE) {
            byte[] piece = Arrays.copyOfRange(content, at, Math.min(content.length, at + PIECE));
            new SqlStatement("INSERT INTO pieces (file, place, content) VALUES (?, ?, ?)", number, at / PIECE, piece)
                    .update(connection);
        }
    }

    /** One job's alone are within bounds of their own. */
    private void makeRoom(Connection connection, String latest) throws SQLException {
        unsure = true;
        new SqlStatement(OLDEST_OF_MOST, latest, (long) (most * ROOM)).update(connection);
    }

    /** A file of a job. */
    public Optional<Kept> find(String job, String path) {
        SqlStatement select =
                new SqlStatement("SELECT number, sha256, size FROM collected WHERE job = ? AND path = ?", job, path);
        return database.read(connection ->
                select.first(connection, row -> new Kept(row.getLong(1), row.getString(2), row.getLong(3))));
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
        SqlStatement select = new SqlStatement("SELECT content FROM pieces WHERE file = ? AND place = ?", file, place);
        return database.read(connection -> select.first(connection, row -> row.getBytes(1)));
    }
}
