package dev.cordon.engine.lease;

import dev.cordon.cgroup.JobName;
import java.nio.file.Path;
import java.util.List;

/**
 * What a sweep found of dead control planes.
 *
 * @param removed jobs whose cgroups were killed and removed: they are lost
 * @param stuck jobs whose cgroups could not be removed in time
 * @param deleted work directories that were deleted
 * @param left work directories that could not be deleted
 */
public record SweepReport(List<JobName> removed, List<JobName> stuck, List<Path> deleted, List<Path> left) {

    /** Copies the lists. */
    public SweepReport {
        removed = List.copyOf(removed);
        stuck = List.copyOf(stuck);
        deleted = List.copyOf(deleted);
        left = List.copyOf(left);
    }

    /** Whether there was nothing to do. */
    public boolean clean() {
        return removed.isEmpty() && stuck.isEmpty() && deleted.isEmpty() && left.isEmpty();
    }
}
