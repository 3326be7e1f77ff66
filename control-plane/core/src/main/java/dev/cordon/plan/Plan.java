package dev.cordon.plan;

import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.util.List;
import java.util.Set;

/** Everything that an engine needs to run one job, and nothing that it has to decide. */
public sealed interface Plan permits JailPlan, ProcessPlan, VmPlan {
    /** The run. */
    JobId id();

    /** The level that the plan gives. */
    default Isolation isolation() {
        return switch (this) {
            case JailPlan ignored -> Isolation.JAIL;
            case ProcessPlan ignored -> Isolation.PROCESS;
            case VmPlan ignored -> Isolation.VM;
        };
    }

    /** The job's host ids. */
    HostIds ids();

    /** The operations, in the order of their application. */
    List<RootStep> operations();

    /** The filter of system calls. */
    ProfileRef profile();

    /** The limits for the cgroup. */
    Limits limits();

    /** The limits that the caller named; one that cannot be enforced at all is refused, not ignored. */
    Set<Limit> asked();

    /** Whether the job is refused where a limit or a layer is not enforced. */
    boolean strict();

    /** An exec label of AppArmor or SELinux; empty for none. */
    String macLabel();

    /** Files to write before the command starts. */
    List<StagedFile> files();

    /** What to execute. */
    CommandPlan command();

    /** Why the job was allowed at this level. */
    List<String> reasons();

    /** Layers that are known to be absent, such as {@code groups}; they go into the result. */
    List<String> layersMissing();

    /** What a reader of the plan should know: choices that are not obvious from the data. */
    List<String> notes();
}
