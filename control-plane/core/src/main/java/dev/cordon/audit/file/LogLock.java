package dev.cordon.audit.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the writers of one log apart. fcntl locks are the process's, not a thread's, and closing any descriptor of the file drops them: so
 * the logs of one process share a second lock, which is also held while a descriptor is closed.
 */
public final class LogLock implements AutoCloseable {
    /** Held until it is closed. */
    public final class Held implements AutoCloseable {
        private final FileLock lock;

        private Held(FileLock lock) {
            this.lock = lock;
        }

        @Override
        public void close() throws IOException {
            try {
                lock.release();
            } finally {
                within.unlock();
            }
        }
    }

    private static final ConcurrentMap<Path, ReentrantLock> WITHIN = new ConcurrentHashMap<>();

    private final ReentrantLock within;
    private final FileChannel channel;

    private LogLock(ReentrantLock within, FileChannel channel) {
        this.within = within;
        this.channel = channel;
    }

    public static LogLock open(LogFiles files) throws IOException {
        ReentrantLock within = WITHIN.computeIfAbsent(files.directory().toRealPath(), ignored -> new ReentrantLock());
        return new LogLock(within, LogFiles.open(files.lock()));
    }

    public Held hold() throws IOException {
        within.lock();
        try {
            return new Held(channel.lock());
        } catch (IOException | RuntimeException | Error e) {
            within.unlock();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        within.lock();
        try {
            channel.close();
        } finally {
            within.unlock();
        }
    }
}
