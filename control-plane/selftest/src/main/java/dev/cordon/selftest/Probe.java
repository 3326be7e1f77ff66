package dev.cordon.selftest;

import java.io.IOException;

/** One threat and how to try it. */
interface Probe {
    /** The threat's id. */
    String id();

    /** What is tried. */
    String title();

    /**
     * Tries it, outside and inside.
     *
     * @throws IOException when the bench itself gave way
     */
    Finding run(Bench bench) throws IOException, InterruptedException;
}
