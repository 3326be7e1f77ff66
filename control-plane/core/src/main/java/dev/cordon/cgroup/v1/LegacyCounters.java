package dev.cordon.cgroup.v1;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupEvents;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.CpuTime;
import dev.cordon.cgroup.tree.CgroupCounters;
import dev.cordon.cgroup.tree.CounterFiles;
import dev.cordon.cgroup.tree.MemoryRoom;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The counters of v1 cgroups, and the CPU time of a hybrid host's v2 cgroup. */
final class LegacyCounters implements CgroupCounters {

    /** The most that a socket asks for at once; one that was refused it leaves so much of the limit unused. */
    private static final long SOCKET_STEP = 1L << 17;

    private final CgroupLimits limits;
    private final CounterFiles unified;
    private final CounterFiles accounting;
    private final CounterFiles memory;
    private final CounterFiles pids;
    private final MemoryRoom room;

    LegacyCounters(Map<CgroupController, Path> groups, Optional<Path> unified, CgroupLimits limits) {
        this.limits = limits;
        this.unified = new CounterFiles(unified.orElse(null));
        accounting = new CounterFiles(unified.isPresent() ? null : groups.get(CgroupController.CPUACCT));
        memory = new CounterFiles(groups.get(CgroupController.MEMORY));
        pids = new CounterFiles(groups.get(CgroupController.PIDS));
        room = MemoryRoom.legacy(memory);
    }

    @Override
    public CgroupUsage usage() {
        return new CgroupUsage(
                memory.number("memory.usage_in_bytes"),
                memory.number("memory.max_usage_in_bytes"),
                cpu(),
                pids.number("pids.current"),
                pids.number("pids.peak"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                counted());
    }

    @Override
    public CgroupUsage events() {
        return CgroupUsage.of(counted());
    }

    private CpuTime cpu() {
        CpuTime onHybrid = CpuTime.ofUnified(unified.text("cpu.stat"));
        return onHybrid.equals(CpuTime.UNKNOWN)
                ? new CpuTime(
                        accounting.number("cpuacct.usage"),
                        accounting.number("cpuacct.usage_user"),
                        accounting.number("cpuacct.usage_sys"))
                : onHybrid;
    }

    private CgroupEvents counted() {
        return new CgroupEvents(
                memory.count("memory.oom_control", "oom_kill"),
                0,
                memoryHits(),
                pids.count("pids.events", "max"),
                socketsWereFull());
    }

    /** By their peak: Linux 6.18 does not count in memory.kmem.tcp.failcnt how often the limit was met. */
    private boolean socketsWereFull() {
        return memory.number("memory.kmem.tcp.max_usage_in_bytes").orElse(0) > limits.socketBytes() - SOCKET_STEP;
    }

    @Override
    public boolean socketsOverflow() {
        return memory.number("memory.kmem.tcp.usage_in_bytes").orElse(0) > limits.mostSocketBytes();
    }

    /** Memory and swap are charged first, and their limit is the same: that is where most hits are counted. */
    private long memoryHits() {
        return memory.number("memory.failcnt").orElse(0)
                + memory.number("memory.memsw.failcnt").orElse(0);
    }

    @Override
    public boolean fits(long bytes) {
        return room.fits(bytes);
    }

    @Override
    public void close() {
        List.of(unified, accounting, memory, pids).forEach(CounterFiles::close);
    }
}
