package dev.cordon.server.history;

import dev.cordon.api.Artifact;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The content of collected files. They go with their job; when all of them together take too much, the oldest jobs' go first. */
public final class Artifacts {
    private final Database database;
    private final long most;

    /** Keeps at most that many bytes. */
    public Artifacts(Database database, long most) {
        this.database = database;
        this.most = most;
    }

    /** Keeps a file; it is on disk when this returns. */
    public void keep(String job, Artifact artifact, byte[] content) {
        var _ = database.written(connection -> {
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT OR REPLACE INTO artifacts (job, path, sha256, size, content) VALUES (?, ?, ?, ?, ?)")) {
                insert.setString(1, job);
                insert.setString(2, artifact.path());
                insert.setString(3, artifact.sha256());
                insert.setLong(4, content.length);
                insert.setBytes(5, content);
                int inserted = insert.executeUpdate();
                makeRoom(connection, job);
                return inserted;
            }
        });
    }

    private void makeRoom(Connection connection, String latest) throws SQLException {
        try (PreparedStatement sum = connection.prepareStatement("SELECT sum(size), min(job) FROM artifacts");
                PreparedStatement delete = connection.prepareStatement("DELETE FROM artifacts WHERE job = ?")) {
            while (true) {
                String oldest;
                try (ResultSet row = sum.executeQuery()) {
                    if (!row.next() || row.getLong(1) <= most) {
                        return;
                    }
                    oldest = row.getString(2);
                }
                if (oldest.equals(latest)) {
                    return; // one job's alone are within bounds of their own
                }
                delete.setString(1, oldest);
                delete.executeUpdate();
            }
        }
    }

    /** A file of a job. */
    public Optional<byte[]> find(String job, String path) {
        return database.read(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT content FROM artifacts WHERE job = ? AND path = ?")) {
                select.setString(1, job);
                select.setString(2, path);
                try (ResultSet row = select.executeQuery()) {
                    return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
                }
            }
        });
    }
}
