package dev.cordon.engine;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.wire.Filed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Requests about files that init has not answered yet. */
final class FileRequests {
    /** How long init may take to answer; a sandbox that is still being made answers afterwards. */
    private static final long ANSWER_SECONDS = 120;

    private final Map<Integer, CompletableFuture<FileAnswer>> waiting = new ConcurrentHashMap<>();

    /** Awaits the answer to a request, which is forgotten when it is late. */
    CompletableFuture<FileAnswer> await(int id) {
        CompletableFuture<FileAnswer> answer = new CompletableFuture<FileAnswer>().orTimeout(ANSWER_SECONDS, SECONDS);
        waiting.put(id, answer);
        return answer;
    }

    /** Passes an answer on, or closes what came with one that nobody awaits. */
    void answer(int id, Filed filed, List<Fd> fds) {
        CompletableFuture<FileAnswer> answer = waiting.remove(id);
        if (answer == null || !answer.complete(new FileAnswer(id, filed, fds.isEmpty() ? null : fds.getFirst()))) {
            fds.forEach(Fd::close);
        }
    }

    /** No answer will come: the sandbox is over. */
    void fail(String how) {
        IllegalStateException over = new IllegalStateException("the sandbox " + how);
        waiting.values().forEach(answer -> answer.completeExceptionally(over));
        waiting.clear();
    }
}
