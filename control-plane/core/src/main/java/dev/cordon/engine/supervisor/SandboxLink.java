package dev.cordon.engine.supervisor;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.request.Request;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileEndpoint;
import dev.cordon.result.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The way to the supervisor of one sandbox, wherever that runs. What it says is heard by {@link SupervisorEvents}, on the reactor's thread.
 * Everything above this is the same for all kinds of sandboxes.
 */
public interface SandboxLink {
    /** How long nothing of a file's content may move while somebody waits for it. */
    Duration STANDSTILL = Duration.ofSeconds(30);

    /** Begins to hear. */
    void listen() throws ErrnoException;

    /** Sends a message, now or when there is room; never waits. The descriptors are the link's from here on. */
    void send(Request request, int id, List<Fd> fds);

    /** Gives the supervisor up before anything was heard of it; what it has begun dies with it. */
    void abandon();

    /** Ends the supervisor by force: it does not answer. */
    void kill();

    /** Why the way to the supervisor ended before the sandbox did, when more is known than that it did. */
    default Optional<Outcome.SetupFailed> failure() {
        return Optional.empty();
    }

    /**
     * Whether init writes content itself, which charges it to the sandbox's own memory, so that a file is asked for with
     * {@link dev.cordon.bindings.wire.request.FileOp#RECEIVE} and {@link dev.cordon.bindings.wire.request.FileOp#STORE}; else with
     * {@link dev.cordon.bindings.wire.request.FileOp#WRITE}.
     */
    default boolean receives() {
        return false;
    }

    /**
     * Waits for content: asked after the descriptor that a request to write a file was answered with has been closed.
     *
     * @param id the request's
     * @return 0 when everything that was written is in the file, else the errno of what went wrong
     */
    default CompletableFuture<Integer> written(int id) {
        return CompletableFuture.completedFuture(0);
    }

    /**
     * The end of a file, for its content.
     *
     * @param file what a request to read or write it was answered with; the end's from here on
     */
    FileEndpoint content(Fd file);

    /**
     * Lists a directory.
     *
     * @param directory what a request to open it was answered with; the listing's from here on
     * @param path      its path inside, which the paths of the entries begin with
     */
    DirectoryListing listing(Fd directory, String path);
}
