package dev.cordon.engine.file;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.wire.reply.Filed;
import dev.cordon.bindings.wire.reply.Written;
import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.FileRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Requests about files that init has not answered yet, and content that it has not written yet. */
public final class FileRequests {
    /** How long init may take to answer; a sandbox that is still being made answers afterwards. */
    private static final long ANSWER_SECONDS = 120;

    /** Of one file: a piece that its writer was allowed to send, and a full pipe. */
    private static final long ON_ITS_WAY = 128 * 1024;

    /** What a file takes beside its content: the rest of its last page, its name and its inode. */
    private static final long OF_A_FILE = 8 * 1024;

    private final Map<Integer, CompletableFuture<FileAnswer>> waiting = new ConcurrentHashMap<>();
    private final Map<Integer, CompletableFuture<Integer>> writing = new ConcurrentHashMap<>();
    /** What came with a request that is not answered yet. */
    private final Map<Integer, Long> storing = new ConcurrentHashMap<>();

    /**
     * Awaits the answer to a request, which is forgotten when it is late. Of content that comes through a pipe init says at its end, too,
     * that it is written.
     */
    public CompletableFuture<FileAnswer> await(int id, FileRequest request) {
        if (request.op() == FileOp.RECEIVE) {
            writing.put(id, new CompletableFuture<>());
        } else if (request.op() == FileOp.STORE) {
            storing.put(id, request.content().length + OF_A_FILE);
        }
        CompletableFuture<FileAnswer> answer = new CompletableFuture<FileAnswer>().orTimeout(ANSWER_SECONDS, SECONDS);
        waiting.put(id, answer);
        return answer;
    }

    /** Passes an answer on, or closes what came with one that nobody awaits. */
    public void answer(int id, Filed filed, List<Fd> fds) {
        storing.remove(id);
        CompletableFuture<FileAnswer> answer = waiting.remove(id);
        boolean taken =
                answer != null && answer.complete(new FileAnswer(id, filed, fds.isEmpty() ? null : fds.getFirst()));
        if (!taken) {
            fds.forEach(Fd::close);
        }
        if (!taken || filed.error() != 0) {
            writing.remove(id);
        }
    }

    /** The errno that init ends a file's content with, 0 when all is well; null when it will say nothing of it. Asked once. */
    public @Nullable CompletableFuture<Integer> written(int id) {
        CompletableFuture<Integer> end = writing.get(id);
        return end == null
                ? null
                : end.copy().orTimeout(ANSWER_SECONDS, SECONDS).whenComplete((error, problem) -> writing.remove(id));
    }

    public void written(int id, Written written) {
        CompletableFuture<Integer> end = writing.get(id);
        if (end != null) {
            end.complete(written.error());
        }
    }

    /** How much content may be under way that is not charged to the sandbox yet. */
    public long onTheirWay() {
        long through = writing.values().stream().filter(end -> !end.isDone()).count() * ON_ITS_WAY;
        return through + storing.values().stream().mapToLong(Long::longValue).sum();
    }

    /** No answer will come: the sandbox is over. */
    public void fail(String how) {
        IllegalStateException over = new IllegalStateException("the sandbox " + how);
        waiting.values().forEach(answer -> answer.completeExceptionally(over));
        waiting.clear();
        storing.clear();
        writing.values().forEach(end -> end.completeExceptionally(over));
    }
}
