package dev.cordon.engine;

import dev.cordon.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What must not grow on the host, whatever ran. */
public record HostLedger(long descriptors, long supervisors, long mounts, long cgroups, long directories) {
    /** As it is. */
    public static HostLedger now() {
        long cgroups = 0;
        for (String hierarchy : List.of("", "memory", "cpu", "cpuacct", "pids", "freezer", "unified")) {
            cgroups += jobsIn(Path.of("/sys/fs/cgroup", hierarchy, "cordon"));
        }
        return new HostLedger(
                Sandboxes.openDescriptors(),
                Sandboxes.supervisors(),
                Sandboxes.mounts(),
                cgroups,
                jobsIn(Config.load().runDirectory()));
    }

    /** Only what this process made: other control planes may be at work on this host. */
    private static long jobsIn(Path directory) {
        String mine = "-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> entry.getFileName().toString().contains(mine))
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }
}
