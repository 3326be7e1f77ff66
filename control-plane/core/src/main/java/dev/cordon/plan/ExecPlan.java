package dev.cordon.plan;

import dev.cordon.job.JobId;
import java.util.List;

/**
 * One command for a sandbox that is open.
 *
 * @param id      the run
 * @param command what to execute
 * @param files   written before the command starts
 * @param cleanup paths that are removed when it has ended
 */
public record ExecPlan(JobId id, CommandPlan command, List<StagedFile> files, List<String> cleanup) {
    /** Copies the lists. */
    public ExecPlan {
        files = List.copyOf(files);
        cleanup = List.copyOf(cleanup);
    }
}
