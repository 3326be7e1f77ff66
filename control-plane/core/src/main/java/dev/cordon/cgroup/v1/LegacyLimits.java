package dev.cordon.cgroup.v1;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CgroupLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes a job's limits into its v1 cgroups. */
final class LegacyLimits {

    private static final String WITH_SWAP = "memory.memsw.limit_in_bytes";
    private static final String SOCKETS = "memory.kmem.tcp.limit_in_bytes";
    private static final String SWAPPINESS = "memory.swappiness";

    private LegacyLimits() {}

    static void write(Map<CgroupController, Path> groups, CgroupLimits limits) throws CgroupException {
        Path memory = groups.get(CgroupController.MEMORY);
        if (memory != null) {
            memory(memory, limits.memoryBytes());
            if (socketsCanBeHeld(memory)) {
                // Only a cgroup whose limit was written has its sockets counted at all.
                CgroupFile.setBytes(memory.resolve(SOCKETS), limits.socketBytes());
            }
        }
        Path pids = groups.get(CgroupController.PIDS);
        if (pids != null) {
            CgroupFile.set(pids.resolve("pids.max"), Long.toString(limits.pids()));
        }
        Path cpu = groups.get(CgroupController.CPU);
        if (cpu != null) {
            String period = Long.toString(CgroupLimits.CPU_PERIOD_MICROS);
            Path periodFile = cpu.resolve("cpu.cfs_period_us");
            if (!CgroupFile.read(periodFile).equals(period)) {
                CgroupFile.set(periodFile, period);
            }
            CgroupFile.set(cpu.resolve("cpu.cfs_quota_us"), Long.toString(limits.cpuQuotaMicros()));
        }
    }

    /** Whether buffers of sockets can be counted: without the file a job can keep any amount of memory in them. */
    static boolean socketsCanBeHeld(Path group) {
        return Files.exists(group.resolve(SOCKETS));
    }

    static boolean swapCanBeHeld(Path group) {
        return Files.exists(group.resolve(WITH_SWAP)) || Files.exists(group.resolve(SWAPPINESS));
    }

    /** The limit of memory and swap together may never be below that of memory: it comes second. */
    private static void memory(Path group, long bytes) throws CgroupException {
        CgroupFile.setBytes(group.resolve("memory.limit_in_bytes"), bytes);
        Path withSwap = group.resolve(WITH_SWAP);
        if (Files.exists(withSwap)) {
            CgroupFile.setBytes(withSwap, bytes);
        } else if (Files.exists(group.resolve(SWAPPINESS))) {
            // With 0 a cgroup of v1 never swaps when it reaches its own limit.
            CgroupFile.set(group.resolve(SWAPPINESS), "0");
        }
    }
}
