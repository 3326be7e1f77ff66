package dev.cordon.engine.supervisor;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.ReceivedInput;
import dev.cordon.bindings.SocketPair;
import dev.cordon.bindings.SpawnedProgram;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.reply.AddressedReply;
import dev.cordon.bindings.wire.reply.Reply;
import dev.cordon.bindings.wire.request.Request;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileEndpoint;
import dev.cordon.engine.file.HostListing;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.Reactor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One supervisor and the socket to it. Owns both: when the socket ends the supervisor kills everything and ends itself, and it is reaped.
 */
public final class SupervisorLink implements SandboxLink {
    @SuppressWarnings("ArrayRecordComponent") // sent once, never compared
    private record Outgoing(byte[] packet, List<Fd> fds) {}

    private static final Logger LOG = LoggerFactory.getLogger(SupervisorLink.class);
    private static final Set<String> RECEIVER_GONE = Set.of("EPIPE", "ECONNRESET");

    /** Messages taken off the socket before others get a turn. */
    private static final int BATCH = 64;

    private static final int SIGKILL = 9;

    private final Kernel kernel;
    private final Reactor reactor;
    private final ByteBuffer room;
    private @Nullable SupervisorEvents events;
    private final Fd socket;
    private final SpawnedProgram supervisor;
    private final Queue<Outgoing> queue = new ArrayDeque<>();
    private Reactor.@Nullable Registration registration;
    private boolean ended;

    /**
     * Starts a supervisor. Nothing is heard before {@link #listen}.
     *
     * @param jail whether its plan will be a jail's
     */
    public SupervisorLink(EngineContext context, Fd program, @Nullable Fd cgroup, boolean jail) throws ErrnoException {
        this.kernel = context.kernel();
        this.reactor = context.reactor();
        this.room = context.buffer();
        SocketPair channel = kernel.channel();
        try {
            supervisor = kernel.spawn(program, channel.theirs(), cgroup, null, jail);
        } catch (ErrnoException e) {
            channel.ours().close();
            throw e;
        } finally {
            channel.theirs().close();
        }
        socket = channel.ours();
    }

    /** Whether a supervisor that was told nothing yet still waits to be. */
    public synchronized boolean isAlive() {
        try {
            return !ended && kernel.receive(socket) instanceof ReceivedInput.Nothing;
        } catch (ErrnoException e) {
            return false;
        }
    }

    /** Completed when a supervisor that nobody hears of has ended. */
    public CompletableFuture<Void> gone() {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        report(new SupervisorEvents() {
            @Override
            public void received(int id, Reply reply, List<Fd> fds) {
                fds.forEach(Fd::close);
            }

            @Override
            public void gone() {
                gone.complete(null);
            }
        });
        return gone;
    }

    /** Who hears of it; before it is listened to. */
    public synchronized void report(SupervisorEvents to) {
        events = to;
    }

    @Override
    public synchronized void listen() throws ErrnoException {
        registration =
                reactor.register(socket, PollSet.READABLE | (queue.isEmpty() ? 0 : PollSet.WRITABLE), this::ready);
    }

    @Override
    public synchronized void send(Request request, int id, List<Fd> fds) {
        Outgoing outgoing = new Outgoing(request.encode(id, fds.size()), fds);
        if (ended || (queue.isEmpty() && deliver(outgoing))) {
            fds.forEach(Fd::close);
            return;
        }
        queue.add(outgoing);
        watchForRoom();
    }

    @Override
    public synchronized void abandon() {
        kill();
        try {
            hangUp();
        } catch (ErrnoException e) {
            LOG.error("a supervisor could not be waited for", e);
        }
    }

    /** Init dies with it. */
    @Override
    public void kill() {
        try {
            if (supervisor.pidfd().isOpen()) {
                kernel.pidfdSendSignal(supervisor.pidfd(), SIGKILL);
            }
        } catch (ErrnoException e) {
            LOG.warn("the supervisor could not be killed", e);
        }
    }

    @Override
    public boolean receives() {
        return true;
    }

    /** Reading a file of this host does not wait. The pipe into one stands still while init is frozen; its writer hears of that. */
    @Override
    public FileEndpoint content(Fd file) {
        return new FileEndpoint(kernel, reactor, file, STANDSTILL, why -> {});
    }

    @Override
    public DirectoryListing listing(Fd directory, String path) {
        return new HostListing(kernel, directory, path);
    }

    /** Whether the message is gone: sent, or its receiver is. A dead supervisor is heard of by the socket's end. */
    private boolean deliver(Outgoing outgoing) {
        try {
            return kernel.send(socket, outgoing.packet(), outgoing.fds());
        } catch (ErrnoException e) {
            if (!RECEIVER_GONE.contains(e.errnoName())) {
                // What it asked for will not happen, and nobody would hear of that: the sandbox ends.
                LOG.error("a message to the supervisor was lost", e);
                kill();
            }
            return true;
        }
    }

    private void watchForRoom() {
        try {
            if (registration != null) {
                registration.interest(PollSet.READABLE | (queue.isEmpty() ? 0 : PollSet.WRITABLE));
            }
        } catch (ErrnoException e) {
            throw new IllegalStateException("the socket cannot be watched", e);
        }
    }

    private void ready(int happened) throws ErrnoException {
        if ((happened & PollSet.WRITABLE) != 0) {
            flush();
        }
        try {
            receive((happened & PollSet.HANG_UP) != 0);
        } catch (ErrnoException | RuntimeException | Error e) {
            // A message is lost, such as when there was no room for its descriptors, or no class could be loaded: what
            // it said cannot be made up, and nobody may wait for it for ever.
            LOG.error("a message of the supervisor was lost", e);
            hangUp();
        }
    }

    /** One message as a rule: the reactor is woken again for another, which is rarer than that looking for one finds nothing. */
    private void receive(boolean all) throws ErrnoException {
        for (int i = 0; i < (all ? BATCH : 1); i++) {
            switch (kernel.receive(socket, room)) {
                case ReceivedInput.Nothing ignored -> {
                    return;
                }
                case ReceivedInput.EndOfFile ignored -> {
                    hangUp();
                    return;
                }
                case ReceivedInput.Message message -> receive(message);
            }
        }
    }

    private synchronized void flush() {
        for (Outgoing next = queue.peek(); next != null && deliver(next); next = queue.peek()) {
            queue.remove();
            next.fds().forEach(Fd::close);
        }
        watchForRoom();
    }

    private void receive(ReceivedInput.Message message) throws ErrnoException {
        try {
            AddressedReply envelope = AddressedReply.decode(message.packet());
            SupervisorEvents heardBy = Objects.requireNonNull(events);
            heardBy.received(envelope.id(), envelope.reply(), message.fds());
        } catch (MalformedMessage e) {
            LOG.error("the supervisor broke the protocol", e);
            message.fds().forEach(Fd::close);
            hangUp();
        }
    }

    /** Nothing more will be heard: wait until the process itself has ended, then reap it. */
    private synchronized void hangUp() throws ErrnoException {
        if (ended) {
            return;
        }
        ended = true;
        if (registration != null) {
            registration.remove();
        }
        queue.forEach(outgoing -> outgoing.fds().forEach(Fd::close));
        queue.clear();
        socket.close();
        if (!reap()) {
            registration = reactor.register(supervisor.pidfd(), PollSet.READABLE, _ -> reapLater());
        }
    }

    /** Waits for the lock, and so for the registration: the process may end before whoever registers it goes on. */
    private synchronized void reapLater() throws ErrnoException {
        Objects.requireNonNull(registration).remove();
        reap();
    }

    private boolean reap() throws ErrnoException {
        if (kernel.reap(supervisor.pidfd()).isEmpty()) {
            return false;
        }
        supervisor.pidfd().close();
        if (events != null) {
            events.gone();
        }
        return true;
    }
}
