package dev.cordon.result;

/**
 * Hears a job's output as it comes, before the result is there. Called in order for each stream, never for two pieces at once, and only
 * for bytes within the output limit. A listener that blocks holds up its own job's output, not its limits. What a listener throws is logged and goes
 * nowhere else: the job goes on, the next piece is delivered, and the result has all of the output.
 */
@FunctionalInterface
public interface OutputListener {
    /** The streams of a job. */
    enum Source {
        /** Standard output. */
        STDOUT,
        /** Standard error. */
        STDERR
    }

    /**
     * A piece of output.
     *
     * @param source where it was written
     * @param bytes  what; the listener's own copy
     */
    void output(Source source, byte[] bytes);

    /**
     * The job was stopped and is about to be run again behind a stronger boundary: what came so far is the first attempt's, which is
     * discarded, and what comes now begins from its start.
     *
     * @param reason what the first attempt did
     */
    default void escalated(String reason) {}

    /**
     * The job waits for a place among its owner's jobs, because the quota has room for it in its queue; said before anything else.
     *
     * @param giveUp ends the waiting: the job is cancelled, unless it has its place by then
     */
    default void queued(Runnable giveUp) {}

    /** The waiting is over, and the job goes on; it has its place while this is running. Not called without {@link #queued}. */
    default void admitted() {}

    /** The job is about to begin in a sandbox that was open before it came; said before any output. */
    default void warm() {}

    /**
     * A file that the job asked to be collected; after its output, before the result is there.
     *
     * @param artifact what it is
     * @param content  the listener's own copy
     */
    default void artifact(Artifact artifact, byte[] content) {}

    /** Hears nothing. */
    static OutputListener none() {
        return (source, bytes) -> {};
    }
}
