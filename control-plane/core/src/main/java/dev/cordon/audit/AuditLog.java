package dev.cordon.audit;

import dev.cordon.config.AuditSettings;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A log that many threads write. One thread of its own does the writing: what arrives while it waits for the disk is written together and
 * waits for the disk once. What happened and cannot be written is tried again until it can; nothing is admitted meanwhile.
 */
public final class AuditLog implements AutoCloseable {
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
    private final LinkedBlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
    private final Object door = new Object();
    private final Thread writer;
    private boolean closed;
    /** The writer's own from here on. */
    private final List<Entry> owed = new ArrayList<>();

    private @Nullable Store store;
    private volatile boolean failing;

    /** Begins to write. The log is opened by the first record. */
    public AuditLog(AuditSettings settings) {
        this.settings = settings;
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
     * @throws AuditUnavailable when they cannot be: the job may not start
     */
    public void admit(List<AuditEvent> events) throws AuditUnavailable {
        await(submit(events, false, true));
    }

    /**
     * Records what is about to be done by somebody who could hide it otherwise. Returns when the records are on the disk.
     *
     * @throws AuditUnavailable when they cannot be: it may not be done
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
                Entry next = owed.isEmpty() ? queue.take() : queue.poll(RETRY_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    owed.add(next);
                }
                queue.drainTo(owed, MOST_AT_ONCE);
                stop = owed.remove(STOP);
                write();
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts the writer of the audit log", e);
            }
        }
        if (!owed.isEmpty()) {
            LogNotices.lost(owed.size());
            owed.forEach(entry -> entry.written().complete(false));
        }
        if (store != null) {
            store.close();
        }
    }

    /** One attempt at everything that is owed. What would have admitted a job is refused when it fails; what happened is kept. */
    private void write() {
        if (owed.isEmpty()) {
            return;
        }
        try {
            Store open = store == null ? Store.open(settings) : store;
            store = open;
            open.append(
                    owed.stream().flatMap(entry -> entry.events().stream()).toList(),
                    Instant.now(),
                    owed.stream().anyMatch(Entry::durable));
        } catch (IOException
                | RuntimeException
                | Error e) { // whatever it was: without this thread everybody would wait for ever
            fail(new AuditUnavailable(settings.directory(), e));
            return;
        }
        if (failing) {
            failing = false;
            LogNotices.recovered();
        }
        List<Entry> done = List.copyOf(owed);
        owed.clear();
        done.forEach(entry -> entry.written().complete(true));
    }

    private void fail(AuditUnavailable e) {
        if (!failing) {
            failing = true;
            LogNotices.failed(e);
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
