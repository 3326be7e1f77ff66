package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Kills by cgroup where the kernel has no cgroup.kill (v1, and v2 before Linux 5.14), and walks below a cgroup. */
final class ProcessList {

    private ProcessList() {}

    /** Kills every process in a v2 cgroup and below it, at once. */
    static void killUnified(Path group) {
        try {
            CgroupFile.write(group.resolve("cgroup.kill"), "1");
        } catch (CgroupException absent) {
            signalAll(withChildren(group));
        }
    }

    /**
     * Kills every process in these v1 cgroups. No process is made meanwhile: the pids controller refuses, or the
     * freezer holds them; with neither of them a caller has to repeat this until the cgroup is empty.
     */
    static void killLegacy(List<Path> groups) {
        List<Path> frozen = new ArrayList<>();
        for (Path group : groups) {
            tryWrite(group.resolve("pids.max"), "0");
            if (tryWrite(group.resolve("freezer.state"), "FROZEN")) {
                frozen.add(group);
            }
        }
        signalAll(groups);
        // A frozen process of v1 takes the signal only when it is thawed.
        frozen.forEach(group -> tryWrite(group.resolve("freezer.state"), "THAWED"));
    }

    /** A cgroup and all below it, deepest first. */
    static List<Path> withChildren(Path group) {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(group)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    all.addAll(withChildren(entry));
                }
            }
        } catch (IOException gone) {
            return all;
        }
        all.add(group);
        return all;
    }

    private static void signalAll(List<Path> groups) {
        Set<Long> inside = new HashSet<>();
        for (Path group : groups) {
            try {
                CgroupFile.readAll(group.resolve("cgroup.procs"))
                        .lines()
                        .map(Long::valueOf)
                        .forEach(inside::add);
            } catch (CgroupException gone) {
                // Nothing lives in a cgroup that is not there.
            }
        }
        for (long pid : inside) {
            // 0 is a process of another pid namespace. The handle knows its process by start time, not by number alone.
            if (pid > 0) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    private static boolean tryWrite(Path file, String value) {
        try {
            CgroupFile.write(file, value);
            return true;
        } catch (CgroupException absent) {
            return false;
        }
    }
}
