package dev.cordon.result;

import dev.cordon.job.limit.ByteSize;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a job takes at one moment of its run. What the host cannot tell is null.
 *
 * @param at     since the job was submitted
 * @param memory in use now
 * @param cpu    CPU time used so far
 * @param pids   processes and threads now
 */
public record UsageSample(
        Duration at,
        @Nullable ByteSize memory,
        @Nullable Duration cpu,
        @Nullable Long pids) {}
