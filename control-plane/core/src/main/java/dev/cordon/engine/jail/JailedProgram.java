package dev.cordon.engine.jail;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.WaitStatus;
import dev.cordon.bindings.wire.reply.Exited;
import dev.cordon.bindings.wire.reply.Failed;
import dev.cordon.bindings.wire.reply.Reply;
import dev.cordon.bindings.wire.reply.ViolationNote;
import dev.cordon.bindings.wire.request.Close;
import dev.cordon.bindings.wire.request.Exec;
import dev.cordon.engine.lease.SandboxLease;
import dev.cordon.engine.sandbox.Verdict;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.supervisor.SandboxLink;
import dev.cordon.engine.supervisor.SupervisorEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program of Cordon's own in a jail, such as QEMU: it works on descriptors that it was given, and nobody reads its streams here. Its
 * lease is given back before its end is known.
 */
public final class JailedProgram implements SupervisorEvents, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JailedProgram.class);
    private static final int COMMAND = 1;

    /** How long a supervisor may take to kill everything. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SandboxLease lease;
    private final EngineContext context;
    private final Consumer<JailedProgram> onEnd;
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private volatile @Nullable SandboxLink link;
    private String how = "its supervisor ended without a word";

    JailedProgram(SandboxLease lease, EngineContext context, Consumer<JailedProgram> onEnd) {
        this.lease = lease;
        this.context = context;
        this.onEnd = onEnd;
    }

    /** Sends the program to the supervisor; the descriptors are closed when they are sent. */
    void begin(SandboxLink supervisor, Exec exec, List<Fd> descriptors) throws ErrnoException {
        link = supervisor;
        try {
            supervisor.listen();
        } catch (ErrnoException | RuntimeException | Error e) {
            onEnd.accept(this);
            supervisor.abandon();
            throw e;
        }
        supervisor.send(exec, COMMAND, descriptors);
    }

    /** Completed with how it ended, when nothing of it is left; never exceptionally. */
    public CompletableFuture<String> ended() {
        return ended;
    }

    /** Ends it by force; does not wait. */
    public void kill() {
        SandboxLink supervisor = link;
        if (supervisor != null && !ended.isDone()) {
            supervisor.send(new Close(), 0, List.of());
            context.reactor().schedule(PATIENCE, () -> {
                if (!ended.isDone()) {
                    supervisor.kill();
                    lease.kill();
                }
            });
        }
    }

    /** Ends it and waits until nothing of it is left. */
    @Override
    public void close() {
        kill();
        ended.join();
    }

    @Override
    public void received(int id, Reply reply, List<Fd> fds) {
        fds.forEach(Fd::close);
        switch (reply) {
            case Failed failed ->
                how = "its jail failed: " + Verdict.setupFailed(failed).detail();
            case Exited exited -> how = describe(exited);
            case ViolationNote note ->
                LOG.warn("a jailed program asked for system call {} (process {})", note.syscall(), note.comm());
            default -> {}
        }
    }

    private static String describe(Exited exited) {
        WaitStatus status = exited.status();
        return switch (exited.cause()) {
            case OWN -> status.exited() ? "exit code " + status.code() : "killed by signal " + status.signal();
            case VIOLATION, BURST -> "killed for a refused system call";
            case NETWORK -> "killed for an attempt to reach the network";
            case NOT_STARTED -> "could not be started, errno " + exited.error() + " at " + exited.stage();
            case CLOSED -> "killed by Cordon";
            case INIT_LOST -> "its jail was killed from outside, or was out of memory";
            case WALL, CPU -> "out of time";
        };
    }

    @Override
    public void gone() {
        Thread.ofVirtual().name("cordon-end").start(() -> {
            try {
                lease.release();
            } finally {
                onEnd.accept(this);
                ended.complete(how);
            }
        });
    }
}
