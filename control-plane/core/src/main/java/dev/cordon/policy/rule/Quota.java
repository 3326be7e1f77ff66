package dev.cordon.policy.rule;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.policy.RateLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one owner may have; each owner that the names match has a count of his own. Null does not limit.
 *
 * @param owners        whose quota it is
 * @param running       jobs at one time
 * @param queued        jobs that wait for one of those to end; 0 refuses instead
 * @param patience        how long one waits at most
 * @param rate          how often jobs are taken
 * @param window        the period of the next two
 * @param cpuTime       CPU time of all jobs in each window
 * @param memorySeconds memory limits times the seconds that jobs took, in each window: 1 GiB for an hour is 3600 GiB
 * @param memory        memory limits of the jobs that run at one time, together
 */
public record Quota(
        NamePatterns owners,
        @Nullable Integer running,
        int queued,
        Duration patience,
        @Nullable RateLimit rate,
        Duration window,
        @Nullable Duration cpuTime,
        @Nullable ByteSize memorySeconds,
        @Nullable ByteSize memory) {
    /** How long a job waits for another to end unless the policy says otherwise. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The period unless the policy says otherwise. */
    public static final Duration WINDOW = Duration.ofHours(1);

    /** Checks the numbers. */
    public Quota {
        if ((running != null && running < 1) || queued < 0 || !patience.isPositive() || !window.isPositive()) {
            throw new IllegalArgumentException("a quota's numbers are above zero; queued may be 0");
        }
    }
}
