package dev.cordon.engine.sandbox;

import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.stream.Reactor;
import dev.cordon.job.limit.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a sandbox whose sockets hold far more memory than their part of its limit. Two kinds of it are held by nobody else: on cgroup v1 the
 * kernel counts buffers beside the memory and lets every TCP socket have one segment beyond the limit; and connections that nobody has
 * accepted are charged to nobody. Looks from a command's start until nothing but init is left: a sandbox that waits costs nothing, and a
 * command that is over before the first look no thread.
 */
final class SocketWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SocketWatch.class);

    /** A processor fills about 100 MiB of them in this time. */
    private static final long PERIOD_MILLIS = 100;

    /** Looks take at most this part of a processor's time, however many sockets there are to look through. */
    private static final int REST = 20;

    /** Of the memory limit, what connections may hold that nobody has accepted. */
    private static final int PART = 4;

    private final LiveSandbox sandbox;
    private final Reactor reactor;
    private final AtomicBoolean looking = new AtomicBoolean();

    SocketWatch(LiveSandbox sandbox, Reactor reactor) {
        this.sandbox = sandbox;
        this.reactor = reactor;
    }

    /** A command was taken in. Without a cgroup for the memory nothing is watched: the result says that it is not held. */
    void awake() {
        if (!sandbox.enforced().missing().contains(Limit.MEMORY) && looking.compareAndSet(false, true)) {
            reactor.schedule(Duration.ofMillis(PERIOD_MILLIS), this::begin);
        }
    }

    private void begin() {
        if (sandbox.end().isDone()) {
            return;
        }
        try {
            Thread.ofVirtual().name("cordon-sockets").start(this::run);
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "sandbox {}: its sockets cannot be watched, it is ended",
                    sandbox.plan().id(),
                    e);
            sandbox.end(SandboxEndReason.FAILED);
        }
    }

    private void run() {
        boolean ended = true;
        try (UnacceptedConnections unaccepted = unaccepted()) {
            ended = look(unaccepted);
        } catch (InterruptedException | ExecutionException | CompletionException e) {
            LOG.debug(
                    "sandbox {}: it did not come up, or is over: {}",
                    sandbox.plan().id(),
                    e.toString());
        } catch (RuntimeException | Error e) {
            // What is not watched is not held: nothing goes on without it.
            LOG.error(
                    "sandbox {}: its sockets cannot be watched, it is ended",
                    sandbox.plan().id(),
                    e);
            sandbox.close();
        } finally {
            looking.set(false);
        }
        if (!ended && sandbox.running() > 0) {
            awake(); // it came between the last look and this
        }
    }

    /** Whether the sandbox is over; else nothing but init is left in it. */
    private boolean look(UnacceptedConnections unaccepted) throws InterruptedException, ExecutionException {
        long pause;
        do {
            long began = System.nanoTime();
            if (sandbox.lease().socketsOverflow() || unaccepted.overflow()) {
                sandbox.overMemory();
                return true;
            }
            if (sandbox.running() == 0 && isEmpty()) {
                return false;
            }
            pause = Math.max(PERIOD_MILLIS, REST * TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        } while (!ended(pause));
        return true;
    }

    private boolean isEmpty() {
        OptionalLong processes = sandbox.lease().usage().pids();
        return processes.isPresent() && processes.getAsLong() <= 1;
    }

    /** Waits until the next look. */
    private boolean ended(long pause) throws InterruptedException, ExecutionException {
        try {
            sandbox.end().get(pause, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private UnacceptedConnections unaccepted() {
        int init = sandbox.ready().join().initPid();
        // Without a network namespace of its own a job's connections are among the host's.
        boolean apart = sandbox.plan().jail();
        long most = apart ? sandbox.plan().limits().memory().bytes() / PART : Long.MAX_VALUE;
        return new UnacceptedConnections(Path.of("/proc/" + init + "/net"), most);
    }
}
