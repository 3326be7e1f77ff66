package dev.cordon.audit.write;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.file.DamagedLog;
import dev.cordon.audit.file.LogFiles;
import dev.cordon.audit.file.LogHead;
import dev.cordon.audit.file.LogLock;
import dev.cordon.audit.file.LogPosition;
import dev.cordon.audit.file.LogTail;
import dev.cordon.audit.file.SigningKey;
import dev.cordon.config.AuditSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends to the files of one log. Several processes of the same user may do so: each holds the lock file while it writes and finds the
 * end in the head. Used by one thread, which nobody interrupts (an interrupt would close the channels).
 */
final class LogStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.cordon.audit");

    private final LogFiles files;
    private final long rotate;
    private final LogRetention retention;
    private final String boot;
    private final LogLock lock;
    private final FileChannel head;
    private @Nullable FileChannel records;
    private long segment;

    private LogStore(LogFiles files, AuditSettings settings, LogLock lock, FileChannel head) throws IOException {
        this.files = files;
        this.rotate = settings.rotate().bytes();
        this.retention = new LogRetention(files, settings.keep().bytes());
        this.boot = LogFiles.boot();
        this.lock = lock;
        this.head = head;
    }

    @SuppressWarnings("try") // the lock is held, not used
    static LogStore open(AuditSettings settings) throws IOException {
        LogFiles files = new LogFiles(settings.directory());
        files.prepare();
        LogLock lock = LogLock.open(files);
        FileChannel head = null;
        try (LogLock.Held ignored = lock.hold()) {
            head = LogFiles.open(files.head());
            LogStore store = new LogStore(files, settings, lock, head);
            store.begin();
            return store;
        } catch (IOException e) {
            close(head);
            close(lock);
            throw e;
        }
    }

    private void begin() throws IOException {
        if (head.size() == 0) {
            if (!files.segments().isEmpty()) {
                throw new DamagedLog("there are records but no head");
            }
            LogHead.first(boot).write(head);
            head.force(true);
            files.sync();
        }
        recover(LogHead.read(head));
    }

    /**
     * Appends one record for each event and answers when all of them are written, with {@code durable} when they are on the disk. Either
     * all of them are, or none.
     *
     * @return whether a new file was begun
     */
    @SuppressWarnings("try") // the lock is held, not used
    boolean append(List<AuditEvent> events, Instant time, boolean durable) throws IOException {
        try (LogLock.Held ignored = lock.hold()) {
            LogHead before = found();
            LogHead current = before.written().length() >= rotate ? rotated(before) : before;
            AuditEvent.Retired retired = current.written().length() == 0 ? due(current) : null;
            RecordBatch batch =
                    RecordBatch.of(current.written(), retired == null ? events : after(retired, events), time);
            write(batch, current.written().length());
            boolean synced = durable || retired != null;
            if (synced) {
                channel().force(false);
            }
            new LogHead(segment, batch.end(), synced ? batch.end() : current.synced(), boot).write(head);
            if (retired != null) {
                head.force(false); // what is removed must be known as such, also after a crash of the machine
                retention.remove(retired);
            }
            return !current.equals(before);
        }
    }

    /** The end of the log as it is now, whoever wrote it. */
    private LogHead found() throws IOException {
        LogHead read = LogHead.read(head);
        return read.segment() != segment
                        || !read.boot().equals(boot)
                        || channel().size() != read.written().length()
                ? recover(read)
                : read;
    }

    /**
     * Brings everything to the disk, so that no crash of the machine makes what is said of the end untrue.
     *
     * @param key  vouches for what is there by a record of its own; null for none
     * @return the end
     */
    @SuppressWarnings("try") // the lock is held, not used
    LogPosition checkpoint(@Nullable SigningKey key, Instant time) throws IOException {
        try (LogLock.Held ignored = lock.hold()) {
            LogPosition end = found().written();
            if (key != null && end.sequence() > 0) {
                AuditEvent signed = new AuditEvent.Signed(key.id(), key.sign(end.sequence(), end.hash()));
                RecordBatch batch = RecordBatch.of(end, List.of(signed), time);
                write(batch, end.length());
                end = batch.end();
            }
            channel().force(false);
            new LogHead(segment, end, end, boot).write(head);
            head.force(false);
            return end;
        }
    }

    /** A file that does not begin as it was written cannot become the log's beginning: nothing is removed. */
    private AuditEvent.@Nullable Retired due(LogHead current) {
        try {
            return retention.due(current.written(), rotate);
        } catch (IOException e) {
            LOG.error("the audit log is above audit.keep, and nothing of it is removed; see cordon audit verify", e);
            return null;
        }
    }

    private static List<AuditEvent> after(AuditEvent first, List<AuditEvent> events) {
        List<AuditEvent> all = new ArrayList<>(List.of(first));
        all.addAll(events);
        return all;
    }

    private void write(RecordBatch batch, long start) throws IOException {
        FileChannel to = channel();
        try {
            ByteBuffer bytes = ByteBuffer.wrap(batch.bytes());
            while (bytes.hasRemaining()) {
                to.write(bytes, start + bytes.position());
            }
        } catch (IOException e) {
            to.truncate(start);
            throw e;
        }
    }

    private LogHead rotated(LogHead full) throws IOException {
        channel().force(true);
        LogPosition start =
                new LogPosition(full.written().sequence(), full.written().hash(), 0);
        LogHead next = new LogHead(full.written().sequence() + 1, start, start, boot);
        use(next.segment());
        channel().truncate(0);
        files.sync();
        next.write(head);
        head.force(false);
        return next;
    }

    /** Finds the end of the log after another writer, this machine or a disk has stopped in the middle. */
    private LogHead recover(LogHead found) throws IOException {
        use(found.segment());
        LogPosition promised = found.promised(boot);
        if (channel().size() < promised.length()) {
            throw new DamagedLog(
                    LogFiles.name(files.segment(segment)) + " has " + channel().size() + " bytes where "
                            + promised.length() + " were written, up to record " + promised.sequence());
        }
        LogTail tail = LogTail.read(channel(), promised);
        if (tail.torn() > 0) {
            setAside(tail.end().length());
        }
        channel().force(true);
        LogHead whole = new LogHead(segment, tail.end(), tail.end(), boot);
        whole.write(head);
        head.force(false);
        return whole;
    }

    private void setAside(long from) throws IOException {
        ByteBuffer rest = ByteBuffer.allocate((int) Math.min(channel().size() - from, 1 << 20));
        channel().read(rest, from);
        Path aside = files.directory().resolve("torn-" + segment + "-" + from + "-" + System.nanoTime());
        try (FileChannel copy = LogFiles.open(aside)) {
            copy.write(rest.flip());
            copy.force(true);
        }
        channel().truncate(from);
        LOG.warn("a writer of the audit log stopped in the middle of a record; its beginning is in {}", aside);
    }

    private void use(long wanted) throws IOException {
        if (records == null || segment != wanted) {
            close(records);
            records = null;
            records = LogFiles.open(files.segment(wanted));
            segment = wanted;
        }
    }

    private FileChannel channel() {
        if (records == null) {
            throw new IllegalStateException("no file of the log is open");
        }
        return records;
    }

    @Override
    public void close() {
        close(() -> head.force(false));
        close(records);
        close(head);
        close(lock);
    }

    private static void close(@Nullable AutoCloseable resource) {
        if (resource != null) {
            try {
                resource.close();
            } catch (Exception e) {
                LOG.warn("the audit log's files were not closed as they should", e);
            }
        }
    }
}
