package dev.cordon.engine.lease;

import dev.cordon.engine.SandboxException;
import dev.cordon.engine.stream.ThreadEnd;
import dev.cordon.plan.HostIds;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervisors that wait for a plan, each with a pending lease of its own. Nothing of a job is in them, and each serves one sandbox. They are made
 * in moments when no sandbox is being started, after the first was.
 */
public final class SpareSupervisors implements AutoCloseable {
    /** Starts one. */
    @FunctionalInterface
    public interface Source {
        WaitingSupervisor begin(HostIds ids) throws SandboxException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(SpareSupervisors.class);

    /** A start that has just happened has the processors for so long. */
    private static final Duration QUIET = Duration.ofMillis(5);

    /** After one could not be made. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final int size;
    private final Source source;
    private final Deque<WaitingSupervisor> waiting = new ArrayDeque<>();
    private final List<CompletableFuture<Integer>> watchers = new ArrayList<>();
    private @Nullable HostIds ids;
    private @Nullable Thread maker;
    private long notBefore;
    private boolean closed;

    public SpareSupervisors(int size, Source source) {
        this.size = size;
        this.source = source;
    }

    /** One whose ids are of this kind; null when there is none. The caller owns it. */
    public synchronized @Nullable WaitingSupervisor take(HostIds wanted) {
        if (size == 0 || closed || !(wanted instanceof HostIds.Slot)) {
            return null;
        }
        want(wanted);
        notBefore = System.nanoTime() + QUIET.toNanos();
        notifyAll();
        for (WaitingSupervisor next = waiting.poll(); next != null; next = waiting.poll()) {
            if (next.link().isAlive()) {
                return next;
            }
            next.release();
        }
        return null;
    }

    /** Completed with their number when there are as many as wanted, or when no more can be had. */
    public synchronized CompletableFuture<Integer> filled(HostIds wanted) {
        if (size == 0 || closed || !(wanted instanceof HostIds.Slot)) {
            return CompletableFuture.completedFuture(0);
        }
        want(wanted);
        CompletableFuture<Integer> watcher = new CompletableFuture<>();
        watchers.add(watcher);
        notifyAll();
        return watcher;
    }

    /** All of one control plane are of one kind. */
    private void want(HostIds wanted) {
        ids = wanted;
        if (maker == null) {
            maker = Thread.ofPlatform().name("cordon-spares").daemon().start(this::make);
        }
    }

    private void make() {
        try {
            for (HostIds kind = next(); kind != null; kind = next()) {
                put(kind);
            }
        } catch (InterruptedException e) {
            LOG.debug("no more supervisors are started ahead");
        }
    }

    private synchronized @Nullable HostIds next() throws InterruptedException {
        while (!closed) {
            long wait = notBefore - System.nanoTime();
            if (waiting.size() >= size) {
                tell();
                wait();
            } else if (wait > 0) {
                wait(wait / 1_000_000 + 1);
            } else {
                return ids;
            }
        }
        return null;
    }

    private void put(HostIds kind) {
        WaitingSupervisor made = null;
        try {
            made = source.begin(kind);
        } catch (SandboxException | RuntimeException e) {
            LOG.warn("a supervisor could not be started ahead: {}", e.getMessage());
        }
        synchronized (this) {
            if (made != null) {
                waiting.add(made); // closing ends it, when that has begun
            } else {
                notBefore = System.nanoTime() + PATIENCE.toNanos();
                tell();
            }
        }
    }

    private void tell() {
        watchers.forEach(each -> each.complete(waiting.size()));
        watchers.clear();
    }

    /** Ends those that wait; returns when they are gone. */
    @Override
    public void close() {
        Thread thread;
        synchronized (this) {
            closed = true;
            thread = maker;
            notifyAll();
            tell();
        }
        if (thread != null) {
            ThreadEnd.await(thread);
        }
        List<CompletableFuture<Void>> ends =
                waiting.stream().map(WaitingSupervisor::end).toList();
        waiting.clear();
        ends.forEach(CompletableFuture::join);
    }
}
