package dev.cordon.flow;

import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.result.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ends a sandbox when its time to live is over, or when it was idle for too long; only where that was asked for. */
public final class SandboxClock {
    private final OpenSandbox sandbox;
    private final @Nullable Duration idleTimeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Instant expires;
    private long dies;
    private long used = System.nanoTime();
    private int resting;
    private boolean running;
    private boolean stopped;

    public SandboxClock(OpenSandbox sandbox, @Nullable Duration ttl, @Nullable Duration idleTimeout) {
        this.sandbox = sandbox;
        this.idleTimeout = idleTimeout;
        expireIn(ttl);
        if (idleTimeout != null) {
            startWatching();
        }
    }

    public @Nullable Duration idleTimeout() {
        return idleTimeout;
    }

    public @Nullable Instant expires() {
        lock.lock();
        try {
            return expires;
        } finally {
            lock.unlock();
        }
    }

    /** Something is done with the sandbox. */
    public void touch() {
        if (idleTimeout != null) {
            locked(() -> used = System.nanoTime());
        }
    }

    /** One more command, or one less, waits for work: it does not count as activity. */
    public void rests(int more) {
        locked(() -> {
            resting += more;
            used = System.nanoTime();
        });
    }

    /** Something is being done with it until this completes. */
    public void watch(Supplier<CompletableFuture<Result>> job) {
        if (idleTimeout != null) {
            CompletableFuture<Void> _ = job.get().thenRun(this::touch);
        }
    }

    public void expireIn(@Nullable Duration time) {
        locked(() -> {
            expires = time == null ? null : Instant.now().plus(time);
            dies = time == null ? 0 : System.nanoTime() + time.toNanos();
            changed.signalAll();
        });
        if (time != null) {
            startWatching();
        }
    }

    public void stop() {
        locked(() -> {
            stopped = true;
            changed.signalAll();
        });
    }

    private void startWatching() {
        locked(() -> {
            if (!running) {
                running = true;
                Thread.ofVirtual().name("cordon-ttl").start(this::run);
                CompletableFuture<Void> _ = sandbox.end().thenRun(this::stop);
            }
        });
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        SandboxEndReason why = null;
        lock.lock();
        try {
            while (!stopped && why == null) {
                why = over();
                if (why == null) {
                    long _ = changed.awaitNanos(untilNext());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        if (why != null) {
            sandbox.end(why);
        }
    }

    private @Nullable SandboxEndReason over() {
        long now = System.nanoTime();
        if (expires != null && now - dies >= 0) {
            return SandboxEndReason.TIME_TO_LIVE;
        }
        if (idleTimeout != null) {
            if (sandbox.running() > resting) {
                used = now;
            } else if (now - used >= idleTimeout.toNanos()) {
                return SandboxEndReason.IDLE;
            }
        }
        return null;
    }

    private long untilNext() {
        long now = System.nanoTime();
        long next = Long.MAX_VALUE;
        if (expires != null) {
            next = dies - now;
        }
        if (idleTimeout != null) {
            next = Math.min(next, used + idleTimeout.toNanos() - now);
        }
        return Math.max(1, next);
    }
}
