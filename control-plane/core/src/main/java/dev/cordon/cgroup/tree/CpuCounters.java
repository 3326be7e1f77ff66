package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CpuTime;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Where the CPU time of a cgroup is counted. */
public final class CpuCounters implements AutoCloseable {

    private final boolean unified;
    private final List<CounterFile> files;

    private CpuCounters(boolean unified, List<CounterFile> files) {
        this.unified = unified;
        this.files = files;
    }

    /** Every v2 cgroup counts it, with or without a controller. */
    public static CpuCounters unified(Path group) {
        return new CpuCounters(true, List.of(new CounterFile(group.resolve("cpu.stat"))));
    }

    public static CpuCounters legacy(Path group) {
        return new CpuCounters(
                false,
                List.of(
                        new CounterFile(group.resolve("cpuacct.usage")),
                        new CounterFile(group.resolve("cpuacct.usage_user")),
                        new CounterFile(group.resolve("cpuacct.usage_sys"))));
    }

    public static CpuCounters none() {
        return new CpuCounters(false, List.of());
    }

    public CpuTime read() {
        if (files.isEmpty()) {
            return CpuTime.UNKNOWN;
        }
        if (unified) {
            String text = files.getFirst().text();
            return new CpuTime(micros(text, "usage_usec"), micros(text, "user_usec"), micros(text, "system_usec"));
        }
        return new CpuTime(
                files.get(0).number(), files.get(1).number(), files.get(2).number());
    }

    private static OptionalLong micros(String text, String key) {
        OptionalLong micros = CgroupFile.number(text, key);
        return micros.isPresent() ? OptionalLong.of(micros.getAsLong() * 1000) : micros;
    }

    @Override
    public void close() {
        files.forEach(CounterFile::close);
    }
}
