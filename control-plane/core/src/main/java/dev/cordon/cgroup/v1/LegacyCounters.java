package dev.cordon.cgroup.v1;

import dev.cordon.cgroup.CgroupEvents;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.Controller;
import dev.cordon.cgroup.tree.CgroupCounters;
import dev.cordon.cgroup.tree.CounterFile;
import dev.cordon.cgroup.tree.CpuCounters;
import dev.cordon.cgroup.tree.MemoryRoom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The counters of v1 cgroups, and the CPU time of a hybrid host's v2 cgroup. */
final class LegacyCounters implements CgroupCounters {

    /** The most that a socket asks for at once; one that was refused it leaves so much of the limit unused. */
    private static final long SOCKET_STEP = 1L << 17;

    private final List<CounterFile> files = new ArrayList<>();
    private final CpuCounters cpu;
    private final @Nullable CounterFile memory;
    private final @Nullable CounterFile memoryPeak;
    private final @Nullable CounterFile oom;
    private final @Nullable CounterFile memoryHits;
    private final @Nullable CounterFile swapHits;
    private final @Nullable CounterFile sockets;
    private final @Nullable CounterFile socketsPeak;
    private final CgroupLimits limits;
    private final @Nullable CounterFile pids;
    private final @Nullable CounterFile pidsPeak;
    private final @Nullable CounterFile pidsEvents;
    private final @Nullable MemoryRoom room;

    LegacyCounters(Map<Controller, Path> groups, Optional<Path> unified, CgroupLimits limits) {
        this.limits = limits;
        Path accounting = groups.get(Controller.CPUACCT);
        cpu = unified.map(CpuCounters::unified)
                .orElseGet(() -> accounting == null ? CpuCounters.none() : CpuCounters.legacy(accounting));
        Path memories = groups.get(Controller.MEMORY);
        memory = file(memories, "memory.usage_in_bytes");
        memoryPeak = file(memories, "memory.max_usage_in_bytes");
        oom = file(memories, "memory.oom_control");
        memoryHits = file(memories, "memory.failcnt");
        swapHits = file(memories, "memory.memsw.failcnt");
        sockets = file(memories, "memory.kmem.tcp.usage_in_bytes");
        socketsPeak = file(memories, "memory.kmem.tcp.max_usage_in_bytes");
        room = memories == null ? null : MemoryRoom.legacy(memories);
        Path processes = groups.get(Controller.PIDS);
        pids = file(processes, "pids.current");
        pidsPeak = file(processes, "pids.peak");
        pidsEvents = file(processes, "pids.events");
    }

    private @Nullable CounterFile file(@Nullable Path group, String name) {
        if (group == null) {
            return null;
        }
        CounterFile file = new CounterFile(group.resolve(name));
        files.add(file);
        return file;
    }

    @Override
    public CgroupUsage usage() {
        return new CgroupUsage(
                number(memory),
                number(memoryPeak),
                cpu.read(),
                number(pids),
                number(pidsPeak),
                OptionalLong.empty(),
                OptionalLong.empty(),
                counted());
    }

    @Override
    public CgroupUsage events() {
        return CgroupUsage.of(counted());
    }

    private CgroupEvents counted() {
        return new CgroupEvents(number(oom, "oom_kill"), 0, memoryHits(), number(pidsEvents, "max"), socketsWereFull());
    }

    /** By their peak: Linux 6.18 does not count in memory.kmem.tcp.failcnt how often the limit was met. */
    private boolean socketsWereFull() {
        return number(socketsPeak).orElse(0) > limits.socketBytes() - SOCKET_STEP;
    }

    @Override
    public boolean socketsOverflow() {
        return number(sockets).orElse(0) > limits.mostSocketBytes();
    }

    /** Memory and swap are charged first, and their limit is the same: that is where most hits are counted. */
    private long memoryHits() {
        return number(memoryHits).orElse(0) + number(swapHits).orElse(0);
    }

    private static OptionalLong number(@Nullable CounterFile file) {
        return file == null ? OptionalLong.empty() : file.number();
    }

    private static long number(@Nullable CounterFile file, String key) {
        return file == null ? 0 : file.number(key).orElse(0);
    }

    @Override
    public boolean fits(long bytes) {
        return room == null || room.fits(bytes);
    }

    @Override
    public void close() {
        files.forEach(CounterFile::close);
        if (room != null) {
            room.close();
        }
        cpu.close();
    }
}
