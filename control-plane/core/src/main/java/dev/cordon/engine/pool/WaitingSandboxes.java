package dev.cordon.engine.pool;

import dev.cordon.engine.OpenSandbox;
import dev.cordon.vm.time.RetryBackoff;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The waiting sandboxes of one shape. It grows by one for each time that it is asked for after the first, so that jobs of which no two are
 * alike open no more sandboxes than they use. Not for two threads at once: the pool's lock guards it.
 */
final class WaitingSandboxes {
    /** A sandbox and when it was put here, by the pool's clock. */
    private record Waiting(OpenSandbox sandbox, long since) {}

    private final SandboxShape shape;
    private final int size;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final RetryBackoff backoff = new RetryBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
    private final List<CompletableFuture<Integer>> watchers = new ArrayList<>();
    private int wanted;
    private long lastWanted;
    private long notBefore;

    WaitingSandboxes(SandboxShape shape, int size, long now) {
        this.shape = shape;
        this.size = size;
        this.lastWanted = now;
        this.notBefore = now;
    }

    SandboxShape shape() {
        return shape;
    }

    int idle() {
        return waiting.size();
    }

    /** Takes all of them. */
    List<OpenSandbox> clear() {
        List<OpenSandbox> all = waiting.stream().map(Waiting::sandbox).toList();
        waiting.clear();
        return all;
    }

    /** When somebody last asked. */
    long lastWanted() {
        return lastWanted;
    }

    /** A job asked. */
    void asked(long now) {
        wanted = Math.min(wanted + 1, size + 1);
        lastWanted = now;
    }

    /** All of them are wanted, before any job asked. */
    void wantAll() {
        wanted = size + 1;
    }

    private int target() {
        return Math.max(0, wanted - 1);
    }

    /** The one that has waited longest; null when there is none. */
    @Nullable
    OpenSandbox take() {
        Waiting next = waiting.poll();
        return next == null ? null : next.sandbox();
    }

    void put(OpenSandbox sandbox, long now) {
        waiting.add(new Waiting(sandbox, now));
        backoff.reset();
        tell();
    }

    /** Forgets one that died. */
    boolean remove(OpenSandbox sandbox) {
        return waiting.removeIf(each -> each.sandbox().equals(sandbox));
    }

    /** Takes out what has waited for longer than that. */
    List<OpenSandbox> expire(long now, long age) {
        List<OpenSandbox> old = new ArrayList<>();
        while (!waiting.isEmpty() && now - waiting.getFirst().since() > age) {
            old.add(waiting.removeFirst().sandbox());
        }
        return old;
    }

    boolean full() {
        return waiting.size() >= target();
    }

    /** Whether half of them or more are gone. */
    boolean isLow() {
        return waiting.size() * 2 <= target();
    }

    /** The next one is not opened before this. Unless it is low, it waits until the jobs of the moment had the processors. */
    long due(long quiet) {
        long polite = isLow() ? lastWanted : lastWanted + quiet;
        return notBefore - polite > 0 ? notBefore : polite;
    }

    /** One could not be opened, or died while it waited: not again at once. */
    void failed(long now) {
        notBefore = now + backoff.next().toNanos();
        crowded();
    }

    /** Completed with the number of sandboxes once the shelf is as full as it gets. */
    CompletableFuture<Integer> filled() {
        CompletableFuture<Integer> watcher = new CompletableFuture<>();
        watchers.add(watcher);
        if (full()) {
            tell();
        }
        return watcher;
    }

    /** There is no room for more. */
    void crowded() {
        watchers.forEach(each -> each.complete(waiting.size()));
        watchers.clear();
    }

    private void tell() {
        if (full()) {
            crowded();
        }
    }
}
