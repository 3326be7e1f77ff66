package dev.cordon.engine.vm;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.engine.lease.SandboxLease;
import dev.cordon.engine.stream.Reactor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A machine as the lease of a sandbox: its counters are asked of the guest, and giving it back ends the machine. */
final class VmLease implements SandboxLease {
    private static final Logger LOG = LoggerFactory.getLogger(VmLease.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(20);

    private final Reactor reactor;
    private final LeasedMachine machine;
    private final GuestLink link;
    private final AtomicBoolean released = new AtomicBoolean();

    VmLease(Reactor reactor, LeasedMachine machine, GuestLink link) {
        this.reactor = reactor;
        this.machine = machine;
        this.link = link;
    }

    @Override
    public CgroupUsage usage() {
        if (link.isSettled() || reactor.isCurrentThread()) {
            return link.lastUsage(); // the answer would come on this very thread
        }
        try {
            return await(link.askUsage(), ANSWER);
        } catch (ExecutionException | TimeoutException e) {
            return link.lastUsage(); // a guest that does not answer is dealt with by the link
        }
    }

    /** Through the link: the channel may not be closed while it is listened to. */
    @Override
    public void kill() {
        link.kill();
    }

    @Override
    public boolean freezable() {
        return true;
    }

    @Override
    public void freeze() throws CgroupException {
        ask(true);
    }

    @Override
    public void thaw() throws CgroupException {
        ask(false);
    }

    private void ask(boolean frozen) throws CgroupException {
        try {
            await(link.freeze(frozen), ANSWER);
        } catch (ExecutionException e) {
            throw CgroupException.inMachine(String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            throw CgroupException.inMachine("the machine did not answer within " + ANSWER.toSeconds() + " s");
        }
    }

    @Override
    public void release() {
        if (!released.getAndSet(true)) {
            link.release();
            try {
                await(machine.ended(), END);
            } catch (ExecutionException | TimeoutException e) {
                LOG.error("a machine is still there {} s after it was killed", END.toSeconds());
            }
        }
    }

    /** An interrupt of the caller does not keep a machine from being given back. */
    private static <T> T await(CompletableFuture<T> answer, Duration most) throws ExecutionException, TimeoutException {
        long until = System.nanoTime() + most.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
