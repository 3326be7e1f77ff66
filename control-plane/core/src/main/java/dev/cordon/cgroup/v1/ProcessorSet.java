package dev.cordon.cgroup.v1;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupFile;
import java.nio.file.Path;
import java.util.List;

/**
 * The processors and memory nodes that this process may use, as its operator confined it. A job that joins a cpuset of its own would leave
 * that of the control plane, so the job's is given these.
 *
 * @param cpus  as the kernel writes lists, such as 0-3,8
 * @param nodes likewise
 */
record ProcessorSet(String cpus, String nodes) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String CPUS = "cpuset.cpus";
    private static final String NODES = "cpuset.mems";

    static ProcessorSet ofThisProcess() throws CgroupException {
        return of(CgroupFile.read(STATUS).lines().toList());
    }

    static ProcessorSet of(List<String> status) {
        return new ProcessorSet(value(status, "Cpus_allowed_list:"), value(status, "Mems_allowed_list:"));
    }

    private static String value(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElse("");
    }

    /** Whether a group has no other processors and nodes than these. */
    boolean isAllOf(Path group) throws CgroupException {
        return CgroupFile.read(group.resolve(CPUS)).equals(cpus)
                && CgroupFile.read(group.resolve(NODES)).equals(nodes);
    }

    /** Leaves these to a group, whose parent has all of them. */
    void confine(Path group) throws CgroupException {
        CgroupFile.set(group.resolve(CPUS), cpus);
        CgroupFile.set(group.resolve(NODES), nodes);
    }
}
