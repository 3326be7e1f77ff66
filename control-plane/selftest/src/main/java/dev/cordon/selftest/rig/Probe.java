package dev.cordon.selftest.rig;

import java.io.IOException;

/** One threat and how to try it. */
public interface Probe {
    /** The threat's id. */
    String id();

    /** What is tried. */
    String title();

    /**
     * Tries it, outside and inside.
     *
     * @throws IOException when the bench itself gave way
     */
    ProbeFinding run(ProbeBox box) throws IOException, InterruptedException;
}
