package dev.cordon.doctor;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.DetectionView;
import dev.cordon.cgroup.host.CgroupHost;
import dev.cordon.job.limit.Limit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** Which limits the kernel can hold for a whole job, and through which hierarchy. */
final class CgroupChecks {

    private static final CheckSubject CGROUP = new CheckSubject(
            "cgroup",
            "memory, process and CPU limits of a whole job are held by control groups; without them "
                    + "each process is limited alone, results say so, and jobs with strict limits are refused");
    private static final CheckSubject SWAP = new CheckSubject(
            "swap", "a job that is pushed into swap takes more than its memory limit and slows the host");
    private static final List<CgroupController> NEEDED =
            List.of(CgroupController.CPU, CgroupController.MEMORY, CgroupController.PIDS);

    private final HostFiles files;
    private final CgroupSupport cgroups;
    private final TrialJob trial;

    CgroupChecks(HostFiles files, DetectionView view, TrialJob trial) {
        this.files = files;
        this.cgroups = CgroupHost.detect(view);
        this.trial = trial;
    }

    List<HostCheck> run() {
        return List.of(controllers(), swap());
    }

    private HostCheck controllers() {
        return switch (cgroups) {
            case CgroupSupport.None none -> CGROUP.warn(none.reason(), none.remedy());
            case CgroupSupport.Unified unified ->
                judge(
                        "cgroup v2 below " + unified.home(),
                        unified.controllers(),
                        "run Cordon in a unit of its own with Delegate=yes, or switch the controllers on in "
                                + unified.home() + "/cgroup.subtree_control");
            case CgroupSupport.Legacy legacy ->
                judge(
                        legacy.unified().isPresent()
                                ? "hybrid: cgroup v1 controllers, with v2 at "
                                        + legacy.unified().get() + " for killing"
                                : "cgroup v1",
                        legacy.hierarchies().keySet(),
                        "mount the controllers, or boot with systemd.unified_cgroup_hierarchy=1");
        };
    }

    private HostCheck judge(String kind, Collection<CgroupController> controllers, String remedy) {
        List<String> missing = NEEDED.stream()
                .filter(controller -> !controllers.contains(controller))
                .map(CgroupController::kernelName)
                .sorted()
                .toList();
        if (!missing.isEmpty()) {
            return CGROUP.warn(kind + "; controllers missing: " + String.join(", ", missing), remedy);
        }
        if (trial instanceof TrialJob.Worked worked
                && !worked.limitsNotEnforced().isEmpty()) {
            List<String> names =
                    worked.limitsNotEnforced().stream().map(Limit::key).toList();
            return CGROUP.warn(kind + "; the trial jail ran without: " + String.join(", ", names), remedy);
        }
        return CGROUP.pass(kind + ", with cpu, memory and pids");
    }

    private HostCheck swap() {
        if (files.lines("/proc/swaps").size() <= 1) {
            return SWAP.pass("no swap space");
        }
        boolean deniable = switch (cgroups) {
            case CgroupSupport.None ignored -> false;
            // The top of the tree has no such file, but every group below it has.
            case CgroupSupport.Unified unified ->
                unified.placement() == CgroupSupport.Placement.TOP
                        || Files.exists(unified.own().resolve("memory.swap.max"));
            case CgroupSupport.Legacy legacy -> {
                Path memory = legacy.hierarchies().get(CgroupController.MEMORY);
                yield memory != null && Files.exists(memory.resolve("memory.memsw.limit_in_bytes"));
            }
        };
        return deniable
                ? SWAP.pass("swap space is there, and the kernel can deny it to a job")
                : SWAP.warn(
                        "swap space is there, and the kernel cannot deny it to a job",
                        "swapoff -a, or boot with swapaccount=1");
    }
}
