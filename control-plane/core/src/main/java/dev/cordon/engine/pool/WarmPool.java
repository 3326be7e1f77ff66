package dev.cordon.engine.pool;

import dev.cordon.config.PoolSettings;
import dev.cordon.engine.Backend;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.stream.ThreadEnd;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.PoolState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps sandboxes open ahead of jobs, some of each shape that was asked for, and fills up in the background. A sandbox is handed out once
 * and never comes back, so no two jobs meet in one. Bounded in shapes, in sandboxes of a shape and in memory.
 */
final class WarmPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WarmPool.class);

    /** Shapes that are kept; the one that nobody asked for longest makes room. */
    static final int MOST_SHAPES = 16;

    /** How old a sandbox gets, and how long a shape is kept that nobody asks for: what the host shows may be replaced meanwhile. */
    private static final long AGE = Duration.ofMinutes(10).toNanos();

    private static final long QUIET = Duration.ofMillis(10).toNanos();

    /** How long the filler sleeps when nobody asked for as long; else it looks every {@link #QUIET}, and no job has to wake it. */
    private static final long NAP = Duration.ofSeconds(1).toNanos();

    /** What a sandbox takes at least: its supervisor and what the kernel keeps of its namespaces are in no count. */
    static final long LEAST_BYTES = ByteSize.kib(512).bytes();

    private final Backend backend;
    private final PoolSettings settings;
    private final Supplier<JobId> ids;
    private final LongSupplier libraries;
    private final Map<SandboxShape, WaitingSandboxes> shelves =
            new LinkedHashMap<>(MOST_SHAPES, 0.75f, true); // by when it was asked
    private final Thread filler =
            Thread.ofPlatform().name("cordon-pool").daemon().unstarted(this::fill);
    private long edition;
    private long heaviest = LEAST_BYTES;
    private long served;
    private long missed;
    private long failed;
    private boolean closed;

    /** @param libraries when the host's were last changed, see {@link LibraryCacheFile} */
    WarmPool(Backend backend, PoolSettings settings, Supplier<JobId> ids, LongSupplier libraries) {
        this.backend = backend;
        this.settings = settings;
        this.ids = ids;
        this.libraries = libraries;
        this.edition = libraries.getAsLong();
    }

    void start() {
        filler.start();
    }

    /**
     * A waiting sandbox of this shape; empty when there is none, and asked again there will be. The caller owns it, and calls
     * {@link #refill} once its command is on its way: the filler would take the processor from it.
     */
    synchronized Optional<OpenSandbox> take(SandboxShape shape) {
        long now = System.nanoTime();
        forgetOldLibraries();
        WaitingSandboxes waiting = shelf(shape, now);
        waiting.asked(now);
        for (OpenSandbox next = waiting.take(); next != null; next = waiting.take()) {
            if (!next.end().isDone()) {
                served++;
                return Optional.of(next);
            }
            failed++; // it was killed just now; whoever takes it off the shelf counts it
            waiting.failed(now);
        }
        missed++;
        return Optional.empty();
    }

    /** Wakes the filler where it is needed soon. */
    synchronized void refill() {
        for (WaitingSandboxes waiting : shelves.values()) {
            if (waiting.isLow() && !waiting.full()) {
                notifyAll();
                return;
            }
        }
    }

    /** What a sandbox has looked at it keeps: one from before an upgrade would mix libraries of both times. */
    private void forgetOldLibraries() {
        long now = libraries.getAsLong();
        if (now != edition) {
            edition = now;
            for (WaitingSandboxes waiting : shelves.values()) {
                waiting.clear().forEach(sandbox -> sandbox.end(SandboxEndReason.CLOSED));
            }
        }
    }

    /** Wants sandboxes of this shape. The future is completed with their number when there are as many as there will be. */
    synchronized CompletableFuture<Integer> want(SandboxShape shape) {
        WaitingSandboxes waiting = shelf(shape, System.nanoTime());
        waiting.wantAll();
        notifyAll();
        return closed ? CompletableFuture.completedFuture(0) : waiting.filled();
    }

    synchronized PoolState state() {
        int idle = shelves.values().stream().mapToInt(WaitingSandboxes::idle).sum();
        return new PoolState(
                shelves.size(), idle, ByteSize.bytes(idle * heaviest), settings.memory(), served, missed, failed);
    }

    private WaitingSandboxes shelf(SandboxShape shape, long now) {
        WaitingSandboxes found = shelves.get(shape);
        if (found == null) {
            found = new WaitingSandboxes(shape, settings.size(), now);
            if (shelves.size() >= MOST_SHAPES) {
                drop(shelves.values().iterator().next());
            }
            shelves.put(shape, found);
        }
        return found;
    }

    private void drop(WaitingSandboxes waiting) {
        shelves.remove(waiting.shape());
        waiting.clear().forEach(sandbox -> sandbox.end(SandboxEndReason.CLOSED));
        waiting.crowded();
    }

    private void fill() {
        try {
            for (WaitingSandboxes waiting = next(); waiting != null; waiting = next()) {
                open(waiting);
            }
        } catch (InterruptedException e) {
            LOG.debug("the pool is closed");
        }
    }

    /** Waits until a shelf needs a sandbox; null when the pool is closed. */
    private synchronized @Nullable WaitingSandboxes next() throws InterruptedException {
        while (!closed) {
            long now = System.nanoTime();
            expire(now);
            long wake = now + nap(now);
            for (WaitingSandboxes waiting : shelves.values()) {
                if (waiting.full()) {
                    continue;
                }
                if (!room()) {
                    waiting.crowded();
                    continue;
                }
                long due = waiting.due(QUIET);
                if (due - now <= 0) {
                    return waiting;
                }
                wake = due - wake < 0 ? due : wake;
            }
            wait(Math.max(1, (wake - now) / 1_000_000));
        }
        return null;
    }

    private long nap(long now) {
        if (shelves.isEmpty()) {
            return AGE; // the first who asks for a shelf finds it low
        }
        return shelves.values().stream().anyMatch(waiting -> now - waiting.lastWanted() < NAP) ? QUIET : NAP;
    }

    private boolean room() {
        long idle = shelves.values().stream().mapToLong(WaitingSandboxes::idle).sum();
        return (idle + 1) * heaviest <= settings.memory().bytes();
    }

    private void expire(long now) {
        for (WaitingSandboxes waiting : new ArrayList<>(shelves.values())) {
            waiting.expire(now, AGE).forEach(sandbox -> sandbox.end(SandboxEndReason.CLOSED));
            if (now - waiting.lastWanted() > AGE) {
                drop(waiting);
            }
        }
    }

    private void open(WaitingSandboxes waiting) {
        OpenSandbox sandbox;
        long opened = libraries.getAsLong();
        try {
            sandbox = backend.open(waiting.shape().plan(ids.get()));
        } catch (SandboxException | RuntimeException e) {
            LOG.warn("a sandbox could not be opened ahead; jobs start cold meanwhile: {}", e.getMessage());
            failed(waiting);
            return;
        }
        ByteSize memory = sandbox.sample().memory();
        boolean kept;
        synchronized (this) {
            heaviest = Math.max(heaviest, memory == null ? 0 : memory.bytes() + LEAST_BYTES);
            forgetOldLibraries();
            kept = !closed && opened == edition && shelves.containsValue(waiting);
            if (kept) {
                waiting.put(sandbox, System.nanoTime());
            }
        }
        if (kept) {
            CompletableFuture<Void> _ = sandbox.end().thenAccept(_ -> died(waiting, sandbox));
        } else {
            sandbox.end(SandboxEndReason.CLOSED);
        }
    }

    /** Called for every sandbox in the end; one that is still here was killed while it waited. */
    private void died(WaitingSandboxes waiting, OpenSandbox sandbox) {
        boolean waited;
        synchronized (this) {
            waited = !closed && waiting.remove(sandbox);
        }
        if (waited) {
            LOG.warn("a waiting sandbox was killed by somebody");
            failed(waiting);
        }
    }

    private synchronized void failed(WaitingSandboxes waiting) {
        failed++;
        waiting.failed(System.nanoTime());
        notifyAll();
    }

    /** Ends every sandbox that waits; the backend's own end waits for them. */
    @Override
    public void close() {
        List<WaitingSandboxes> all;
        synchronized (this) {
            closed = true;
            notifyAll();
            all = List.copyOf(shelves.values());
            all.forEach(this::drop);
        }
        ThreadEnd.await(filler);
    }
}
