package dev.cordon.audit.write;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.AuditUnavailable;
import dev.cordon.audit.file.LogPosition;
import dev.cordon.audit.file.SigningKey;
import dev.cordon.audit.verify.HeadJournal;
import dev.cordon.config.AuditSettings;
import dev.cordon.config.CheckpointSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log, which many threads share and one thread writes. What arrives while that thread waits for the disk is written together and
 * waits for the disk once. When the log cannot be written, it tries again to write what happened, and admits no job meanwhile.
 */
public final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.cordon.audit");
    private static final long RETRY_MILLIS = 250;
    private static final int MOST_AT_ONCE = 1024;

    /** How long a result waits for a log that cannot be written. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** @param refusable whether it is refused when it cannot be written at once, instead of being owed */
    private record Entry(
            List<AuditEvent> events,
            boolean durable,
            boolean refusable,
            CompletableFuture<Boolean> written,
            long submitted) {}

    private static final Entry STOP = new Entry(List.of(), false, false, new CompletableFuture<>(), 0);

    private final AuditSettings settings;
    private final InstantSource clock;
    private final LinkedBlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
    private final Object door = new Object();
    private final Thread writer;
    private boolean closed;
    /** The writer's own from here on. */
    private final List<Entry> owed = new ArrayList<>();

    private @Nullable LogStore store;
    private @Nullable SigningKey key;
    private @Nullable HeadCourier courier;
    private long unvouched;
    private boolean putOff;
    private long since;
    private volatile boolean failing;

    /** Begins to write. The log is opened by the first record. */
    public AuditLog(AuditSettings settings) {
        this(settings, settings.checkpoints().sent() ? HeadJournal.ofThisHost() : Optional.empty());
        if (settings.checkpoints().sent() && courier == null) {
            LOG.warn("the audit log is not anchored: this host has neither a journal nor syslog (/dev/log); keep what"
                    + " cordon audit verify prints elsewhere, or set audit.signing_key");
        }
    }

    /** Whose heads go to that journal. */
    AuditLog(AuditSettings settings, Optional<HeadJournal> journal) {
        this(settings, journal, InstantSource.system());
    }

    /** Whose records have the time of that clock. */
    AuditLog(AuditSettings settings, Optional<HeadJournal> journal, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.courier =
                journal.map(to -> new HeadCourier(to, settings.directory())).orElse(null);
        this.writer = Thread.ofPlatform().name("cordon-audit").daemon().unstarted(this::work);
        this.writer.start();
    }

    /** How it was set up. */
    public AuditSettings settings() {
        return settings;
    }

    /**
     * Records what comes before a start. Returns when the records are written, which is before the job runs; they are on the disk no later
     * than the job's end.
     *
     * @throws AuditUnavailable when they cannot be written: the job may not start
     */
    public void admit(List<AuditEvent> events) throws AuditUnavailable {
        await(submit(events, false, true));
    }

    /**
     * Records what is about to be done by somebody who could hide it otherwise. Returns when the records are on the disk.
     *
     * @throws AuditUnavailable when they cannot be written: it may not be done
     */
    public void attest(List<? extends AuditEvent> events) throws AuditUnavailable {
        await(submit(events, true, true));
    }

    private static void await(CompletableFuture<Boolean> written) throws AuditUnavailable {
        try {
            written.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof AuditUnavailable unavailable) {
                throw unavailable;
            }
            throw e;
        }
    }

    /**
     * Records what happened. Completed with true when the records are on the disk, with false when the log could not be written for some
     * seconds; they are written as soon as it can. Completed by the thread that writes the log: what follows must not wait for the log.
     */
    public CompletableFuture<Boolean> record(List<AuditEvent> events) {
        return submit(events, true, false);
    }

    /** Whether the last attempt to write worked, as far as there was one. */
    public boolean works() {
        return !failing;
    }

    private CompletableFuture<Boolean> submit(List<? extends AuditEvent> events, boolean durable, boolean refusable) {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        synchronized (door) {
            if (closed && !refusable) {
                written.complete(false);
            } else if (closed) {
                written.completeExceptionally(
                        new AuditUnavailable(settings.directory(), new IOException("the log was closed")));
            } else {
                queue.add(new Entry(List.copyOf(events), durable, refusable, written, System.nanoTime()));
            }
        }
        return written;
    }

    private void work() {
        boolean stop = false;
        while (!stop) {
            try {
                Entry next = queue.poll(owed.isEmpty() ? patience() : RETRY_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    owed.add(next);
                }
                queue.drainTo(owed, MOST_AT_ONCE);
                stop = owed.remove(STOP);
                write();
                if (unvouched > 0 && (stop || patience() == 0)) {
                    checkpoint();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts the writer of the audit log", e);
            }
        }
        if (!owed.isEmpty()) {
            LOG.error("{} records could not be written to the audit log before it was closed", owed.size());
            owed.forEach(entry -> entry.written().complete(false));
        }
        if (store != null) {
            store.close();
        }
        if (courier != null) {
            courier.close();
        }
    }

    /** How long until somebody is to vouch for what was written, in milliseconds. */
    private long patience() {
        CheckpointSettings checkpoints = settings.checkpoints();
        if (unvouched == 0) {
            return Long.MAX_VALUE;
        }
        long left = checkpoints.interval().toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
        return unvouched >= checkpoints.records() && !putOff ? 0 : Math.max(0, left);
    }

    /** What could not be vouched for is tried again after the interval, with a log that was opened anew where it had failed. */
    private void checkpoint() {
        try {
            LogStore open = store == null ? opened() : store;
            store = open;
            LogPosition end = open.checkpoint(key, clock.instant());
            if (courier != null && end.sequence() > 0) {
                courier.take(end);
            }
            unvouched = 0;
            putOff = false;
        } catch (IOException | RuntimeException | Error e) { // as in write(): everybody waits for this thread
            LOG.warn("a checkpoint of the audit log could not be written, it comes with the next: {}", e.toString());
            unvouched = 1;
            putOff = true;
            since = System.nanoTime();
        }
    }

    /** The key is read before the first record: a log that is to be signed and cannot be is not written. */
    private LogStore opened() throws IOException {
        Path file = settings.checkpoints().key();
        key = file == null ? null : SigningKey.read(file);
        return LogStore.open(settings);
    }

    private void written(long records, boolean rotated) {
        if (courier == null && key == null) {
            return;
        }
        if (unvouched == 0) {
            since = System.nanoTime();
        }
        unvouched += rotated ? settings.checkpoints().records() : records;
    }

    /** One attempt at everything that is owed. What would have admitted a job is refused when it fails; what happened is kept. */
    private void write() {
        if (owed.isEmpty()) {
            return;
        }
        try {
            LogStore open = store == null ? opened() : store;
            store = open;
            List<AuditEvent> events =
                    owed.stream().flatMap(entry -> entry.events().stream()).toList();
            boolean rotated = open.append(events, clock.instant(), owed.stream().anyMatch(Entry::durable));
            written(events.size(), rotated);
        } catch (IOException
                | RuntimeException
                | Error e) { // whatever it was: without this thread everybody would wait for ever
            fail(new AuditUnavailable(settings.directory(), e));
            return;
        }
        if (failing) {
            failing = false;
            LOG.info("the audit log can be written again; jobs are admitted");
        }
        List<Entry> done = List.copyOf(owed);
        owed.clear();
        done.forEach(entry -> entry.written().complete(true));
    }

    private void fail(AuditUnavailable e) {
        if (!failing) {
            failing = true;
            LOG.error("jobs are not admitted: {}; {}", e.getMessage(), e.remedy());
        }
        if (store != null) {
            // Opened again at the next attempt: the directory may be another one by then.
            store.close();
            store = null;
        }
        List<Entry> refused = owed.stream().filter(Entry::refusable).toList();
        owed.removeAll(refused);
        refused.forEach(entry -> entry.written().completeExceptionally(e));
        long now = System.nanoTime();
        owed.stream()
                .filter(entry -> now - entry.submitted() > PATIENCE_NANOS)
                .forEach(entry -> entry.written().complete(false));
    }

    /** Writes what is left and ends. */
    @Override
    public void close() {
        synchronized (door) {
            if (!closed) {
                closed = true;
                queue.add(STOP);
            }
        }
        boolean interrupted = false;
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
