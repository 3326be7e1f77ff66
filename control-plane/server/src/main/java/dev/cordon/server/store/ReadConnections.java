package dev.cordon.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteDataSource;

/** Connections that read, each used by one thread at a time. Whoever needs one waits for it. */
final class ReadConnections implements AutoCloseable {
    private final List<Connection> all = new ArrayList<>();
    private final LinkedBlockingQueue<Connection> free = new LinkedBlockingQueue<>();

    ReadConnections(SQLiteDataSource source, int count) throws SQLException {
        for (int i = 0; i < count; i++) {
            Connection connection = source.getConnection();
            all.add(connection);
            free.add(connection);
        }
    }

    <T extends @Nullable Object> T read(SqliteDatabase.Work<T> work) {
        Connection connection;
        try {
            connection = free.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageUnavailable("the reader was told to stop", e);
        }
        try {
            return work.on(connection);
        } catch (SQLException e) {
            throw new StorageUnavailable("the history cannot be read: " + e.getMessage(), e);
        } finally {
            free.add(connection);
        }
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : all) {
            connection.close();
        }
    }
}
