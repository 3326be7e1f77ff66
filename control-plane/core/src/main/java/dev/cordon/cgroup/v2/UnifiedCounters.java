package dev.cordon.cgroup.v2;

import dev.cordon.cgroup.CgroupEvents;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.tree.CgroupCounters;
import dev.cordon.cgroup.tree.CounterFile;
import dev.cordon.cgroup.tree.CpuCounters;
import dev.cordon.cgroup.tree.MemoryRoom;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;

/** The counters of a v2 cgroup. */
public final class UnifiedCounters implements CgroupCounters {

    private final CpuCounters cpu;
    private final CounterFile memory;
    private final CounterFile memoryPeak;
    private final CounterFile memoryEvents;
    private final CounterFile pids;
    private final CounterFile pidsPeak;
    private final CounterFile pidsEvents;
    private final CounterFile io;
    private final MemoryRoom room;

    public UnifiedCounters(Path job) {
        cpu = CpuCounters.unified(job);
        memory = new CounterFile(job.resolve("memory.current"));
        memoryPeak = new CounterFile(job.resolve("memory.peak"));
        memoryEvents = new CounterFile(job.resolve("memory.events"));
        pids = new CounterFile(job.resolve("pids.current"));
        pidsPeak = new CounterFile(job.resolve("pids.peak"));
        pidsEvents = new CounterFile(job.resolve("pids.events"));
        io = new CounterFile(job.resolve("io.stat"));
        room = MemoryRoom.unified(job);
    }

    @Override
    public CgroupUsage usage() {
        String disks = io.text();
        boolean there = io.isThere();
        return new CgroupUsage(
                memory.number(),
                memoryPeak.number(),
                cpu.read(),
                pids.number(),
                pidsPeak.number(),
                there ? OptionalLong.of(sum(disks, "rbytes")) : OptionalLong.empty(),
                there ? OptionalLong.of(sum(disks, "wbytes")) : OptionalLong.empty(),
                counted());
    }

    @Override
    public CgroupUsage events() {
        return CgroupUsage.of(counted());
    }

    private CgroupEvents counted() {
        String text = memoryEvents.text();
        return new CgroupEvents(
                CgroupFile.number(text, "oom_kill").orElse(0),
                CgroupFile.number(text, "oom_group_kill").orElse(0),
                CgroupFile.number(text, "max").orElse(0),
                pidsEvents.number("max").orElse(0),
                false);
    }

    /** The sum of a key over the lines of io.stat, each of which is a device and {@code key=value}, again and again. */
    private static long sum(String disks, String key) {
        return disks.lines()
                .flatMap(line -> Arrays.stream(line.split(" ", -1)))
                .filter(word -> word.startsWith(key + "="))
                .mapToLong(word -> Long.parseLong(word.substring(key.length() + 1)))
                .sum();
    }

    @Override
    public boolean fits(long bytes) {
        return room.fits(bytes);
    }

    @Override
    public void close() {
        room.close();
        cpu.close();
        memory.close();
        memoryPeak.close();
        memoryEvents.close();
        pids.close();
        pidsPeak.close();
        pidsEvents.close();
        io.close();
    }
}
