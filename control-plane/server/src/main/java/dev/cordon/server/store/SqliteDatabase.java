package dev.cordon.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * One SQLite file. A single thread writes: what is asked for while it waits for the disk goes into one transaction, so that many jobs
 * share one fsync. A write is on disk when its future completes. Other processes may write, too: {@code cordon token} does.
 */
public final class SqliteDatabase implements AutoCloseable {
    private static final int MOST_AT_ONCE = 256;
    private static final int BUSY_MILLIS = 30_000; // a slow disk that flushes for another process is not a fault
    private static final int JOURNAL_BYTES = 16 << 20;
    private static final int READERS = 4;

    /** Something done with a connection. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T on(Connection connection) throws SQLException;
    }

    private record Task<T extends @Nullable Object>(Work<T> work, CompletableFuture<T> done) {
        /** Within the transaction; the future waits for its end. */
        Runnable run(Connection connection) throws SQLException {
            T result = work.on(connection);
            return () -> done.complete(result);
        }
    }

    private final Connection writing;
    private final ReadConnections reading;
    private final ReadConnections checking;
    private final LinkedBlockingQueue<Task<?>> tasks = new LinkedBlockingQueue<>();
    private final Thread writer;
    private volatile boolean closing;

    private SqliteDatabase(Connection writing, ReadConnections reading, ReadConnections checking) {
        this.writing = writing;
        this.reading = reading;
        this.checking = checking;
        this.writer = Thread.ofPlatform().daemon().name("cordon-history").start(this::write);
    }

    /**
     * Opens or makes the file.
     *
     * @throws StorageUnavailable when that is impossible
     */
    public static SqliteDatabase open(Path file) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_MILLIS);
        config.setJournalSizeLimit(JOURNAL_BYTES);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        try (SqliteLibrary _ = SqliteLibrary.unpackedBeside(file)) {
            prepare(file);
            Connection writing = source.getConnection();
            try (Statement statement = writing.createStatement()) {
                for (String table : DatabaseSchema.TABLES) {
                    statement.executeUpdate(table);
                }
            }
            return new SqliteDatabase(writing, new ReadConnections(source, READERS), new ReadConnections(source, 1));
        } catch (SQLException | IOException e) {
            throw new StorageUnavailable(file + " cannot be opened: " + e.getMessage(), e);
        }
    }

    /** A new file can shrink again; that is decided before anything is in it, the mode of the journal included. */
    private static void prepare(Path file) throws SQLException, IOException {
        if (Files.exists(file) && Files.size(file) > 0) {
            return;
        }
        SQLiteDataSource plain = new SQLiteDataSource();
        plain.setUrl("jdbc:sqlite:" + file);
        try (Connection connection = plain.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA busy_timeout = " + BUSY_MILLIS);
            statement.executeUpdate("PRAGMA auto_vacuum = INCREMENTAL");
            statement.executeUpdate("VACUUM");
        }
    }

    /**
     * Removes what killed processes left beside the file.
     *
     * @param directory the file's, of which the caller holds the lock
     */
    public static void sweep(Path directory) throws IOException {
        SqliteLibrary.sweep(directory);
    }

    /** Writes; the future completes when it is on disk. */
    <T extends @Nullable Object> CompletableFuture<T> write(Work<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        if (closing) {
            done.completeExceptionally(new StorageUnavailable("the history is closed", new IllegalStateException()));
        } else {
            tasks.add(new Task<>(work, done));
        }
        return done;
    }

    /** Writes and waits for the disk. */
    <T extends @Nullable Object> T written(Work<T> work) {
        try {
            return write(work).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StorageUnavailable storage) {
                throw storage;
            }
            throw e;
        }
    }

    <T extends @Nullable Object> T read(Work<T> work) {
        return reading.read(work);
    }

    /** Reads what every request waits for, past those who read long lists. */
    <T extends @Nullable Object> T check(Work<T> work) {
        return checking.read(work);
    }

    private void write() {
        List<Task<?>> batch = new ArrayList<>();
        while (!closing || !tasks.isEmpty()) {
            batch.clear();
            try {
                batch.add(tasks.take());
            } catch (InterruptedException e) {
                continue; // closing
            }
            tasks.drainTo(batch, MOST_AT_ONCE - 1);
            transact(batch);
        }
    }

    private void transact(List<Task<?>> batch) {
        List<Runnable> completions = new ArrayList<>();
        try {
            execute("BEGIN IMMEDIATE");
            for (Task<?> task : batch) {
                completions.add(task.run(writing));
            }
            execute("COMMIT");
        } catch (SQLException | RuntimeException | Error e) { // whatever it was, others write after it
            rollback(e);
            if (batch.size() == 1) {
                batch.getFirst()
                        .done()
                        .completeExceptionally(new StorageUnavailable("not written: " + e.getMessage(), e));
            } else {
                batch.forEach(task -> transact(List.of(task))); // one of them is to blame; the others need not suffer
            }
            return;
        }
        completions.forEach(Runnable::run);
    }

    /**
     * Transactions are begun by name: after some errors SQLite has rolled back by itself, which the driver's own bookkeeping does not notice,
     * and then no commit would work any more.
     */
    private void execute(String command) throws SQLException {
        try (Statement statement = writing.createStatement()) {
            statement.execute(command);
        }
    }

    private void rollback(Throwable reason) {
        try {
            execute("ROLLBACK");
        } catch (SQLException nothingToRollBack) {
            reason.addSuppressed(nothingToRollBack);
        }
    }

    @Override
    public void close() {
        closing = true;
        writer.interrupt();
        try {
            writer.join();
            writing.close();
            reading.close();
            checking.close();
        } catch (SQLException e) {
            throw new StorageUnavailable("the history cannot be closed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
