package dev.cordon.server.job;

import dev.cordon.result.OutputListener;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Condition;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happened to one job, for readers that come and go. Output is gathered until somebody reads it, so that a job that writes byte by
 * byte makes few events; what does not fit into the budget is counted and left to the result.
 */
public final class JobEventLog implements OutputListener {
    private static final int PIECE = 16 << 10;

    private final long budget;
    private final boolean replayed;
    private final ScopedLock lock = new ScopedLock();
    private final Condition changed = lock.condition();
    private final List<JobEvent> events = new ArrayList<>();
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    private long size;
    private long dropped;
    private int readers;
    private boolean started;
    private boolean ended;
    private volatile boolean warm;

    /** Keeps about that many bytes. */
    JobEventLog(long budget) {
        this(budget, false);
    }

    private JobEventLog(long budget, boolean replayed) {
        this.budget = budget;
        this.replayed = replayed;
    }

    /** One for events that are made anew from a job's end: they are fewer, and numbered otherwise, than those that somebody saw live. */
    static JobEventLog replayed(long budget) {
        return new JobEventLog(budget, true);
    }

    /** The event after which a reader goes on who has seen that one. */
    public long resume(long seen) {
        return replayed ? 0 : seen;
    }

    private ByteArrayOutputStream gathered(Source source) {
        return switch (source) {
            case STDOUT -> stdout;
            case STDERR -> stderr;
        };
    }

    @Override
    public void output(Source source, byte[] bytes) {
        try (ScopedLock.Held _ = lock.hold()) {
            if (ended || dropped > 0 || size + bytes.length > budget) { // without a hole: what is kept is the beginning
                dropped += bytes.length;
                return;
            }
            flush(source == Source.STDOUT ? Source.STDERR : Source.STDOUT, false);
            ByteArrayOutputStream buffer = gathered(source);
            buffer.writeBytes(bytes);
            size += bytes.length;
            if (buffer.size() >= PIECE) {
                flush(source, false);
            }
            changed.signalAll();
        }
    }

    @Override
    public void warm() {
        warm = true;
    }

    /** Whether the job began in a sandbox that was waiting. */
    boolean wasWarm() {
        return warm;
    }

    @Override
    public void escalated(String reason) {
        add("escalated", JsonTree.object().put("to", "vm").put("reason", reason));
    }

    /** Adds the first event, once: a program can write before its launch has returned. */
    void started(String id) {
        try (ScopedLock.Held _ = lock.hold()) {
            if (!started) {
                started = true;
                add("started", JsonTree.object().put("id", id));
            }
        }
    }

    /** Adds an event. */
    void add(String type, ObjectNode data) {
        try (ScopedLock.Held _ = lock.hold()) {
            if (!ended) {
                flushAll(false);
                append(type, data);
            }
        }
    }

    /** Adds the last event. */
    void end(String type, ObjectNode data) {
        try (ScopedLock.Held _ = lock.hold()) {
            if (!ended) {
                flushAll(true);
                if (dropped > 0) {
                    data.put("dropped_bytes", dropped);
                }
                append(type, data);
                ended = true;
            }
        }
    }

    /** Whether anybody reads. */
    boolean watched() {
        try (ScopedLock.Held _ = lock.hold()) {
            return readers > 0;
        }
    }

    /** What is kept, in bytes. */
    public long size() {
        try (ScopedLock.Held _ = lock.hold()) {
            return size;
        }
    }

    /** The events after that one; waits for the next when there is none, and returns nothing when the time is up. */
    public List<JobEvent> after(long sequence, Duration wait) throws InterruptedException {
        try (ScopedLock.Held _ = lock.hold()) {
            long nanos = wait.toNanos();
            while (true) {
                flushAll(ended);
                if (sequence < events.size()) {
                    return List.copyOf(events.subList((int) Math.max(0, sequence), events.size()));
                }
                if (ended || nanos <= 0) {
                    return List.of();
                }
                readers++;
                try {
                    nanos = changed.awaitNanos(nanos);
                } finally {
                    readers--;
                }
            }
        }
    }

    /** Whether the last event is there. */
    public boolean over() {
        try (ScopedLock.Held _ = lock.hold()) {
            return ended;
        }
    }

    /** Whether that event was the last one. */
    public boolean endedAt(long sequence) {
        try (ScopedLock.Held _ = lock.hold()) {
            return ended && sequence >= events.size();
        }
    }

    private void flushAll(boolean whole) {
        for (Source source : Source.values()) {
            flush(source, whole);
        }
    }

    /** Makes an event of what was gathered; a character whose rest is to come stays, unless nothing is to come. */
    private void flush(Source source, boolean whole) {
        ByteArrayOutputStream buffer = gathered(source);
        if (buffer.size() == 0) {
            return;
        }
        byte[] bytes = buffer.toByteArray();
        int tail = whole ? 0 : Utf8Pieces.incompleteTail(bytes);
        if (tail == bytes.length) {
            return;
        }
        byte[] piece = Arrays.copyOf(bytes, bytes.length - tail);
        buffer.reset();
        buffer.write(bytes, bytes.length - tail, tail);
        size -= piece.length; // counted with its event from now on
        append(new JobEvent.Matter.Output(source, piece));
    }

    private void append(String type, ObjectNode data) {
        append(new JobEvent.Matter.Other(type, JsonTree.text(data)));
    }

    private void append(JobEvent.Matter matter) {
        JobEvent event = new JobEvent(events.size() + 1L, Instant.now(), matter);
        events.add(event);
        size += event.size();
        changed.signalAll();
    }
}
