package dev.cordon.engine.stream;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.PollWakeup;
import dev.cordon.bindings.value.ErrnoException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one platform thread that waits for descriptors. Handlers run on it and must not block; jobs wait on futures. What a handler owns is
 * touched on this thread only, so handlers need no locks of their own.
 */
public final class Reactor implements AutoCloseable {
    /** Hears that a descriptor is ready. */
    @FunctionalInterface
    public interface Handler {
        /** These events happened. */
        void ready(int events) throws ErrnoException;
    }

    /** A descriptor that is waited for. Whoever registered it removes it before closing the descriptor. */
    public final class Registration {
        private final Fd fd;
        private final long token;
        private int interest;

        private Registration(Fd fd, long token, int interest) {
            this.fd = fd;
            this.token = token;
            this.interest = interest;
        }

        /** Changes what is waited for; 0 waits for nothing. */
        public void interest(int wanted) throws ErrnoException {
            if (wanted == interest) {
                return;
            }
            if (wanted == 0) {
                poll.remove(fd);
            } else {
                poll.set(fd, wanted, token);
            }
            interest = wanted;
        }

        /** Forgets the descriptor, which the kernel has done itself when it was closed before. */
        public void remove() {
            handlers.remove(token);
            if (!fd.isOpen()) {
                return;
            }
            try {
                interest(0);
            } catch (ErrnoException | IllegalStateException e) {
                LOG.warn("a descriptor could not be taken out of the poll set", e);
            }
        }
    }

    /** Something to be done at a time. */
    private record Timer(long at, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.compare(at - other.at, 0);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Reactor.class);
    private static final long WAKE_UP = 0;

    private final PollSet poll;
    private final PollWakeup wakeup;
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong(WAKE_UP);
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    /** A reactor whose thread does not run yet. */
    public Reactor(Kernel kernel) throws ErrnoException {
        poll = kernel.pollSet();
        wakeup = kernel.wakeup();
        poll.set(wakeup.fd(), PollSet.READABLE, WAKE_UP);
        thread = Thread.ofPlatform().name("cordon-reactor").daemon().unstarted(this::run);
    }

    /** Starts its thread. */
    public void start() {
        thread.start();
    }

    /** Waits for a descriptor from now on. May be called on any thread. */
    public Registration register(Fd fd, int interest, Handler handler) throws ErrnoException {
        long token = tokens.incrementAndGet();
        handlers.put(token, handler);
        try {
            poll.set(fd, interest, token);
        } catch (ErrnoException | RuntimeException | Error e) {
            handlers.remove(token);
            throw e;
        }
        return new Registration(fd, token, interest);
    }

    /** How many descriptors are registered. */
    int registered() {
        return handlers.size();
    }

    /** Whether the caller is on the reactor's thread, which must not wait for what only itself can do. */
    public boolean isCurrentThread() {
        return thread.equals(Thread.currentThread());
    }

    /** Runs a task on the reactor's thread, soon. */
    public void execute(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
        }
        wake();
    }

    /** Runs a task on the reactor's thread after a while; it decides itself whether it is still wanted. */
    public void schedule(Duration delay, Runnable task) {
        Timer timer = new Timer(System.nanoTime() + delay.toNanos(), task);
        boolean next;
        synchronized (tasks) {
            timers.add(timer);
            next = timer.equals(timers.peek());
        }
        if (next) {
            wake(); // else the thread wakes in time for an earlier one
        }
    }

    private void wake() {
        try {
            synchronized (wakeup) {
                if (wakeup.fd().isOpen()) {
                    wakeup.wake();
                }
            }
        } catch (ErrnoException e) {
            throw new IllegalStateException("the reactor cannot be woken", e);
        }
    }

    private void run() {
        while (!closed) {
            try {
                poll.await(untilNextTimer(), this::dispatch);
            } catch (ErrnoException e) {
                LOG.error("waiting for descriptors failed", e);
            }
            runTasks();
            runTimers();
        }
        poll.close();
        synchronized (wakeup) {
            wakeup.close();
        }
    }

    private int untilNextTimer() {
        Timer next;
        synchronized (tasks) {
            next = timers.peek();
        }
        if (next == null) {
            return -1;
        }
        long nanos = next.at() - System.nanoTime();
        return nanos <= 0 ? 0 : (int) Math.min(nanos / 1_000_000 + 1, Integer.MAX_VALUE);
    }

    private void dispatch(long token, int events) {
        try {
            if (token == WAKE_UP) {
                wakeup.reset();
                return;
            }
            Handler handler = handlers.get(token);
            if (handler != null) {
                handler.ready(events);
            }
        } catch (ErrnoException | RuntimeException | Error e) {
            // This thread serves every job: one that cannot be served must not end it.
            LOG.error("a handler failed", e);
        }
    }

    private void runTasks() {
        while (true) {
            Runnable task;
            synchronized (tasks) {
                task = tasks.poll();
            }
            if (task == null) {
                return;
            }
            run(task);
        }
    }

    private void runTimers() {
        for (Timer due = dueTimer(); due != null; due = dueTimer()) {
            run(due.task());
        }
    }

    private @Nullable Timer dueTimer() {
        synchronized (tasks) {
            Timer next = timers.peek();
            return next != null && next.at() - System.nanoTime() <= 0 ? timers.poll() : null;
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a task failed", e);
        }
    }

    /** Ends the thread and waits until it has given its descriptors back. Nothing may be registered any more. */
    @Override
    public void close() {
        closed = true;
        wake();
        if (!isCurrentThread()) {
            ThreadEnd.await(thread);
        }
    }
}
