package dev.cordon.bench;

import java.util.OptionalDouble;

/**
 * What it costs to have a number of sandboxes open that do nothing.
 *
 * @param sandboxes  how many
 * @param openMillis the median time to open one of those that were added
 * @param processKib proportional set size of supervisor and init, of each; absent when this user may not look
 * @param hostKib    what the host's free memory went down by, for each: the kernel's part included
 * @param startMillis a cold job beside them
 * @param commandMillis a command in one of them
 * @param sweepMillis a second control plane opens: it looks at all of them for what a dead one left
 */
public record GrowthStep(
        int sandboxes,
        double openMillis,
        OptionalDouble processKib,
        double hostKib,
        double startMillis,
        double commandMillis,
        double sweepMillis) {}
