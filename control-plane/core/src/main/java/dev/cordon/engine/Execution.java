package dev.cordon.engine;

import dev.cordon.api.Result;
import dev.cordon.api.Sample;
import java.util.concurrent.CompletableFuture;

/** One job that was started. Owns its processes, pipes, cgroup and ids, and gives them all back before the result is known. */
public interface Execution extends AutoCloseable {
    /** Completed exactly once, when everything of the job is gone; never exceptionally. */
    CompletableFuture<Result> result();

    /** Ends the job with {@code Cancelled}; nothing happens when it is over. */
    void cancel();

    /** Sends a signal to the command's process group; nothing happens when it is over. */
    void signal(int signal);

    /** What the job takes now; its fields are null where the host does not count or the job is over. */
    Sample sample();

    /** Cancels the job if it still runs and waits for its result. */
    @Override
    void close();
}
