package dev.cordon;

import dev.cordon.api.JobId;
import dev.cordon.api.JobSpec;
import dev.cordon.policy.Decision;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job on its way: what is known of it before it starts.
 *
 * @param id       the run
 * @param created  when Cordon took the job
 * @param spec     the job; null when it was not understood
 * @param decision the policy's answer; null when it was not asked
 * @param planned  what would be done
 */
record Judged(
        JobId id,
        Instant created,
        @Nullable JobSpec spec,
        @Nullable Decision decision,
        Planned planned) {}
