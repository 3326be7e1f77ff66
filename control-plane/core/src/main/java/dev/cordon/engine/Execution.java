package dev.cordon.engine;

import dev.cordon.job.Terminal;
import dev.cordon.result.Result;
import dev.cordon.result.UsageSample;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/** One job that was started. Owns its streams and, when the sandbox is its own, all of that; gives them back before the result is known. */
public interface Execution extends AutoCloseable {
    /** Completed exactly once, when everything of the job is gone; never exceptionally. */
    CompletableFuture<Result> result();

    /** Ends the job with {@code Cancelled}; nothing happens when it is over. */
    void cancel();

    /** Sends a signal to the command's process group; nothing happens when it is over. */
    void signal(int signal);

    /** Changes the size of the command's terminal; nothing happens when it is over or has none. */
    void resize(Terminal size);

    /** Where its standard input is written to; closed from the beginning unless the job asked for it. */
    OutputStream stdin();

    /** What it writes to standard output; empty unless the job asked for streams. */
    InputStream stdout();

    /** What it writes to standard error; empty unless the job asked for streams. */
    InputStream stderr();

    /** What the job takes now; its fields are null where the host does not count or the job is over. */
    UsageSample sample();

    /** Cancels the job if it still runs and waits for its result. */
    @Override
    void close();
}
