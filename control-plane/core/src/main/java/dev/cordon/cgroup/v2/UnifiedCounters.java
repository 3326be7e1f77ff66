package dev.cordon.cgroup.v2;

import dev.cordon.cgroup.CgroupEvents;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.CpuTime;
import dev.cordon.cgroup.tree.CgroupCounters;
import dev.cordon.cgroup.tree.CounterFiles;
import dev.cordon.cgroup.tree.MemoryRoom;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;

/** The counters of a v2 cgroup. */
public final class UnifiedCounters implements CgroupCounters {

    private final CounterFiles files;
    private final MemoryRoom room;

    public UnifiedCounters(Path job) {
        files = new CounterFiles(job);
        room = MemoryRoom.unified(files);
    }

    @Override
    public CgroupUsage usage() {
        String disks = files.text("io.stat");
        boolean there = files.isThere("io.stat");
        return new CgroupUsage(
                files.number("memory.current"),
                files.number("memory.peak"),
                CpuTime.ofUnified(files.text("cpu.stat")),
                files.number("pids.current"),
                files.number("pids.peak"),
                there ? OptionalLong.of(sum(disks, "rbytes")) : OptionalLong.empty(),
                there ? OptionalLong.of(sum(disks, "wbytes")) : OptionalLong.empty(),
                counted());
    }

    @Override
    public CgroupUsage events() {
        return CgroupUsage.of(counted());
    }

    private CgroupEvents counted() {
        String text = files.text("memory.events");
        return new CgroupEvents(
                CgroupFile.number(text, "oom_kill").orElse(0),
                CgroupFile.number(text, "oom_group_kill").orElse(0),
                CgroupFile.number(text, "max").orElse(0),
                files.count("pids.events", "max"),
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
        files.close();
    }
}
