package dev.cordon.plan;

import dev.cordon.job.JobId;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The plan of a job without namespaces. Its operations are Landlock rules alone.
 *
 * @param workDirectory made by the engine (mode 0700, owned by the job's ids) and removed afterwards; the only writable place
 * @param setup         deadline of the whole set-up
 */
public record ProcessPlan(
        JobId id,
        HostIds ids,
        Path workDirectory,
        Duration setup,
        List<RootStep> operations,
        ProfileRef profile,
        Limits limits,
        Set<Limit> asked,
        boolean strict,
        String macLabel,
        List<StagedFile> files,
        CommandPlan command,
        List<String> reasons,
        List<String> layersMissing,
        List<String> notes)
        implements Plan {
    /** Copies the collections and checks the operations. */
    public ProcessPlan {
        operations = List.copyOf(operations);
        if (!operations.stream().allMatch(RootStep.Landlock.class::isInstance)) {
            throw new IllegalArgumentException(
                    "a process has no root of its own: its operations are Landlock rules alone");
        }
        asked = Set.copyOf(asked);
        files = List.copyOf(files);
        reasons = List.copyOf(reasons);
        layersMissing = List.copyOf(layersMissing);
        notes = List.copyOf(notes);
    }
}
