package dev.cordon.cgroup;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The controllers that Cordon uses, under the names that the kernel gives them. */
public enum CgroupController {
    /** Memory and swap. */
    MEMORY,
    /** CPU bandwidth. */
    CPU,
    /** CPU time used; a controller in v1 only, v2 counts it in every group. */
    CPUACCT,
    /** Which CPUs; v1 only, and not for a limit: programs that look for their limits in v1 do not look on without it. */
    CPUSET,
    /** Number of processes and threads. */
    PIDS,
    /** Pausing; a controller in v1 only. */
    FREEZER,
    /** Block device bandwidth; v2 only. */
    IO;

    /** The controllers that hold a limit in v2. */
    public static final Set<CgroupController> OF_V2 = Set.of(MEMORY, CPU, PIDS, IO);

    /** The controllers that Cordon uses in v1 hierarchies. */
    public static final Set<CgroupController> OF_V1 = Set.of(MEMORY, CPU, CPUACCT, CPUSET, PIDS, FREEZER);

    /** The kernel's name: {@code memory}, {@code cpu} and so on. */
    public String kernelName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<CgroupController> named(String kernelName) {
        for (CgroupController controller : values()) {
            if (controller.kernelName().equals(kernelName)) {
                return Optional.of(controller);
            }
        }
        return Optional.empty();
    }

    /** Those of the given names that are known and wanted. */
    public static Set<CgroupController> among(Collection<String> kernelNames, Set<CgroupController> wanted) {
        Set<CgroupController> found = EnumSet.noneOf(CgroupController.class);
        for (String name : kernelNames) {
            named(name).filter(wanted::contains).ifPresent(found::add);
        }
        return found;
    }
}
