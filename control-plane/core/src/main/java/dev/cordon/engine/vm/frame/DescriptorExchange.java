package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.reply.Filed;
import dev.cordon.bindings.wire.reply.Started;
import dev.cordon.bindings.wire.request.Close;
import dev.cordon.bindings.wire.request.Exec;
import dev.cordon.bindings.wire.request.ExecFlag;
import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.bindings.wire.request.Open;
import dev.cordon.bindings.wire.request.Request;
import dev.cordon.bindings.wire.request.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges descriptors for attachments and back: content and streams for what a message brings to the guest, pipes and sockets for what
 * one brings from it. Remembers what was asked for; a guest that brings anything else is hostile. Used on the reactor's thread.
 */
public final class DescriptorExchange {
    private final GuestPort port;
    private final GuestStreams streams;
    private final Map<Integer, FileOp> fileRequests = new HashMap<>();
    private final Map<Integer, CompletableFuture<Integer>> writes = new ConcurrentHashMap<>();
    private final Set<Integer> terminals = new HashSet<>();

    public DescriptorExchange(GuestPort port, GuestStreams streams) {
        this.port = port;
        this.streams = streams;
    }

    /** The content of those descriptors of a request that are memfds, always its last ones. May be called on any thread. */
    public static List<byte[]> contents(Request request, List<Fd> fds) throws IOException {
        List<Fd> memfds = switch (request) {
            case Open ignored -> fds;
            case Exec exec -> exec.stringsApart() ? List.of(fds.getLast()) : List.of();
            case Signal ignored -> List.of();
            case FileRequest ignored -> List.of();
            case Close ignored -> List.of();
        };
        List<byte[]> contents = new ArrayList<>();
        for (Fd fd : memfds) {
            // Through its name: a memfd's own offset is wherever its last writer left it.
            contents.add(Files.readAllBytes(Path.of("/proc/self/fd/" + fd.number())));
        }
        return contents;
    }

    /** Sends a request; the descriptors are this object's from here on, whatever happens. */
    public void send(Request request, int id, List<Fd> fds, List<byte[]> contents) throws ErrnoException {
        byte[] packet = request.encode(id, fds.size());
        int streamed = fds.size() - contents.size();
        try {
            List<GuestAttachment> attachments = new ArrayList<>();
            List<GuestAttachment.Kind> kinds = kinds(request, streamed);
            for (int i = 0; i < streamed; i++) {
                attachments.add(streams.bring(kinds.get(i), fds.get(i)));
            }
            for (byte[] content : contents) {
                GuestAttachment attachment = new GuestAttachment(GuestAttachment.Kind.CONTENT, streams.nextId());
                GuestFrames.content(attachment.id(), content).forEach(port::send);
                attachments.add(attachment);
            }
            fds.subList(streamed, fds.size()).forEach(Fd::close);
            remember(request, id);
            port.send(GuestFrames.message(packet, attachments));
        } catch (ErrnoException | RuntimeException | Error e) {
            fds.forEach(Fd::close);
            throw e;
        }
    }

    private static List<GuestAttachment.Kind> kinds(Request request, int count) {
        List<GuestAttachment.Kind> kinds = new ArrayList<>();
        if (request instanceof Exec exec) {
            if (exec.extraFds() != 0) {
                throw new IllegalArgumentException("a command in a machine has no descriptors but 0, 1 and 2");
            }
            if (!exec.flags().contains(ExecFlag.STDIN_NULL) && !exec.flags().contains(ExecFlag.TTY)) {
                kinds.add(GuestAttachment.Kind.TO_GUEST);
            }
        }
        while (kinds.size() < count) {
            kinds.add(GuestAttachment.Kind.FROM_GUEST);
        }
        return kinds;
    }

    private void remember(Request request, int id) {
        if (request instanceof FileRequest file) {
            fileRequests.put(id, file.op());
        }
        if (request instanceof Exec exec && exec.flags().contains(ExecFlag.TTY)) {
            terminals.add(id);
        }
    }

    /** The descriptors of a message from the guest; the receiver owns them. */
    public List<Fd> receive(GuestMessage message) throws HostileGuest {
        int id = message.envelope().id();
        GuestAttachment.@Nullable Kind expected = switch (message.envelope().reply()) {
            case Filed filed -> expected(id, filed);
            case Started ignored -> terminals.remove(id) ? GuestAttachment.Kind.TERMINAL : null;
            default -> null;
        };
        List<GuestAttachment> brought = message.attachments();
        if (expected == null
                ? !brought.isEmpty()
                : brought.size() != 1 || brought.getFirst().kind() != expected) {
            throw new HostileGuest("a message brought " + brought + " instead of " + expected);
        }
        if (expected == null) {
            return List.of();
        }
        Fd fd = take(brought.getFirst());
        if (expected == GuestAttachment.Kind.TO_GUEST) {
            writes.put(id, streams.get(brought.getFirst().id()).taken());
        }
        return List.of(fd);
    }

    private GuestAttachment.@Nullable Kind expected(int id, Filed filed) throws HostileGuest {
        FileOp op = fileRequests.remove(id);
        if (op == null) {
            throw new HostileGuest("FILED answers no request");
        }
        return filed.error() != 0
                ? null
                : switch (op) {
                    case READ -> GuestAttachment.Kind.FROM_GUEST;
                    case WRITE -> GuestAttachment.Kind.TO_GUEST;
                    case DIRECTORY -> GuestAttachment.Kind.LISTING;
                    case MKDIR, REMOVE, STAT, RECEIVE, STORE, MOVE -> null;
                };
    }

    private Fd take(GuestAttachment attachment) throws HostileGuest {
        try {
            return streams.take(attachment);
        } catch (ErrnoException e) {
            throw new HostileGuest("no descriptor for a stream: " + e.getMessage());
        }
    }

    /** See {@link dev.cordon.engine.supervisor.SandboxLink#written}. May be called on any thread. */
    public CompletableFuture<Integer> written(int id) {
        CompletableFuture<Integer> written = writes.remove(id);
        return written == null ? CompletableFuture.completedFuture(0) : written;
    }
}
