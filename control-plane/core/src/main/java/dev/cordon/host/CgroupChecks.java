package dev.cordon.host;

import java.util.List;

/** Which limits the kernel can hold for a whole job, and through which hierarchy. */
final class CgroupChecks {

    private static final String WHY =
            "memory, process and CPU limits of a whole job are held by control groups; without them "
                    + "each process is limited alone, results say so, and jobs with strict limits are refused";
    private static final String SWAP_WHY =
            "a job that is pushed into swap takes more than its memory limit and slows the host";

    private final HostFiles files;
    private final boolean root;
    private final CgroupMounts mounts;

    CgroupChecks(HostFiles files, boolean root) {
        this.files = files;
        this.root = root;
        this.mounts = CgroupMounts.of(files);
    }

    List<Check> run() {
        return List.of(controllers(), swap());
    }

    private Check controllers() {
        if (!mounts.missing().isEmpty()) {
            return Check.warn(
                    "cgroup",
                    kind() + "; controllers missing: " + String.join(", ", mounts.missing()),
                    WHY,
                    "boot with systemd.unified_cgroup_hierarchy=1, or mount the controllers");
        }
        String place = mounts.usesOldHierarchies() ? mounts.controllers().getOrDefault("memory", "") : ownGroup();
        String found = kind() + " with cpu, memory and pids";
        return files.writable(place)
                ? Check.pass("cgroup", found + "; groups can be made below " + place, WHY)
                : Check.warn("cgroup", found + ", but this user cannot make groups below " + place, WHY, delegation());
    }

    private String kind() {
        if (mounts.unified().isEmpty()) {
            return mounts.controllers().isEmpty() ? "no cgroups are mounted" : "cgroup v1";
        }
        return mounts.usesOldHierarchies() ? "hybrid: cgroup v1 controllers beside v2" : "cgroup v2";
    }

    /** As root groups are made at the top; anybody else needs a subtree of their own. */
    private String ownGroup() {
        if (root) {
            return mounts.unified();
        }
        for (String line : files.lines("/proc/self/cgroup")) {
            if (line.startsWith("0::")) {
                return mounts.unified() + line.substring("0::".length());
            }
        }
        return mounts.unified();
    }

    private String delegation() {
        return mounts.usesOldHierarchies()
                ? "run Cordon as root: v1 hierarchies cannot be delegated"
                : "systemd-run --user --scope -p Delegate=yes cordon ..., or run Cordon as a service with Delegate=yes";
    }

    private Check swap() {
        if (files.lines("/proc/swaps").size() <= 1) {
            return Check.pass("swap", "no swap space", SWAP_WHY);
        }
        String v1 = mounts.controllers().getOrDefault("memory", "") + "/memory.memsw.limit_in_bytes";
        String v2 = ownGroup() + "/memory.swap.max";
        boolean limited = mounts.usesOldHierarchies() ? files.exists(v1) : root || files.exists(v2);
        return limited
                ? Check.pass("swap", "swap space is there, and the kernel can deny it to a job", SWAP_WHY)
                : Check.warn(
                        "swap",
                        "swap space is there, and the kernel cannot deny it to a job",
                        SWAP_WHY,
                        "swapoff -a, or boot with swapaccount=1");
    }
}
