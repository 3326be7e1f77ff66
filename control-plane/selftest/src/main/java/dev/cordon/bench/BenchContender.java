package dev.cordon.bench;

/** One way to run {@code /bin/true}, from the request to the result. */
interface BenchContender {
    /** What the report calls it. */
    String name();

    /** Runs it once; may be called by many threads at once. */
    void run() throws Exception;

    /** Waits until it is ready for a number of runs, outside of what is measured. */
    default void prepare(int runs) throws Exception {}
}
