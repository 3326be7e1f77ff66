package dev.cordon.plan;

import dev.cordon.job.JobId;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The plan of a namespace jail.
 *
 * @param hostname   the jail's own
 * @param rootBytes  size of the root tmpfs, which holds mount points and the synthetic files
 * @param rootInodes number of files in the root tmpfs
 * @param setup      deadline of the whole set-up
 * @param burst      ends it at the last of so many refused system calls, and at an attempt to reach the network; 0: not watched for that
 */
public record JailPlan(
        JobId id,
        HostIds ids,
        String hostname,
        ByteSize rootBytes,
        long rootInodes,
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
        List<String> notes,
        int burst)
        implements Plan {
    /** Uid and gid of the job inside. */
    public static final int INSIDE_ID = 1000;

    /** Copies the collections. */
    public JailPlan {
        operations = List.copyOf(operations);
        asked = Set.copyOf(asked);
        files = List.copyOf(files);
        reasons = List.copyOf(reasons);
        layersMissing = List.copyOf(layersMissing);
        notes = List.copyOf(notes);
    }

    /** Whether the policy watches what the job does. */
    public boolean watched() {
        return burst > 0;
    }
}
