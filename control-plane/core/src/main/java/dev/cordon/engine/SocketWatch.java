package dev.cordon.engine;

import dev.cordon.api.Limit;
import dev.cordon.plan.JailPlan;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a sandbox whose sockets hold far more memory than their part of its limit. Two kinds of it are held by nobody else: on cgroup v1 the
 * kernel counts buffers beside the memory and lets every TCP socket have one segment beyond the limit; and connections that nobody has
 * accepted are charged to nobody. Without a cgroup for the memory it does not watch.
 */
final class SocketWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SocketWatch.class);

    /** A processor fills about 100 MiB of them in this time. */
    private static final long PERIOD_MILLIS = 100;

    /** Of the memory limit, what connections may hold that nobody has accepted. */
    private static final int PART = 4;

    private SocketWatch() {}

    /** Watches until the sandbox ends. */
    static void start(LiveSandbox sandbox) {
        if (!sandbox.enforced().missing().contains(Limit.MEMORY)) {
            Thread.ofVirtual().name("cordon-sockets").start(() -> run(sandbox));
        }
    }

    private static void run(LiveSandbox sandbox) {
        try (UnacceptedConnections unaccepted = unaccepted(sandbox)) {
            while (!ended(sandbox)) {
                if (sandbox.ground().socketsOverflow() || unaccepted.overflow()) {
                    sandbox.overMemory();
                    return;
                }
            }
        } catch (InterruptedException | ExecutionException | CompletionException e) {
            LOG.debug(
                    "sandbox {}: it did not come up, or is over: {}",
                    sandbox.plan().id(),
                    e.toString());
        }
    }

    /** Waits until the next look. */
    private static boolean ended(LiveSandbox sandbox) throws InterruptedException, ExecutionException {
        try {
            sandbox.end().get(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static UnacceptedConnections unaccepted(LiveSandbox sandbox) {
        int init = sandbox.ready().join().initPid();
        // Without a network namespace of its own a job's connections are among the host's.
        boolean apart = sandbox.plan() instanceof JailPlan;
        long most = apart ? sandbox.plan().limits().memory().bytes() / PART : Long.MAX_VALUE;
        return new UnacceptedConnections(Path.of("/proc/" + init + "/net"), most);
    }
}
