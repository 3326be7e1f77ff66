package dev.cordon.engine.lease;

import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.cgroup.ControlPlaneName.Life;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.host.CgroupHost;
import dev.cordon.cgroup.tree.CgroupTree;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Removes what dead control planes left: kills and removes the cgroups of their jobs, then deletes their work
 * directories. Runs at every start, and works from the directory listings alone: a name tells its owner, and an owner is
 * dead when the host has booted since, when its process id is gone, or when another process has it now.
 *
 * <p>Uid slots need no sweep: their locks are the kernel's, and end with the last process that holds one.
 */
public final class HostSweep {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** How old an empty cgroup of an owner in another pid namespace must be: longer than any jail takes to start. */
    private static final Duration FOREIGN_AGE = Duration.ofMinutes(10);

    private final CgroupTree tree;
    private final ControlPlaneName self;
    private final List<Path> workDirectories;

    /**
     * A sweep of everything that jobs can leave.
     *
     * @param host whose cgroups
     * @param self this control plane: its own jobs are alive
     * @param workDirectories directories whose entries carry the name of a job; absent ones are nothing to sweep
     */
    public HostSweep(CgroupHost host, ControlPlaneName self, List<Path> workDirectories) {
        this.tree = host.tree();
        this.self = self;
        this.workDirectories = List.copyOf(workDirectories);
    }

    /** Sweeps once. Never fails: what could not be removed is in the report, and the next sweep finds it again. */
    public SweepReport run() {
        Set<String> entries = new TreeSet<>();
        tree.bases().forEach(base -> entries.addAll(namesIn(base)));
        List<JobName> dead = new ArrayList<>();
        for (String entry : entries) {
            JobName.parse(entry).filter(this::abandoned).ifPresent(dead::add);
        }
        // All are killed before the first is waited for: they die at the same time.
        dead.forEach(name -> tree.directories(name.fileName()).killAll());
        List<JobName> removed = new ArrayList<>();
        List<JobName> stuck = new ArrayList<>();
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (JobName name : dead) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            boolean gone = tree.directories(name.fileName()).removeWithin(left);
            (gone ? removed : stuck).add(name);
        }
        return sweepWork(removed, stuck);
    }

    private SweepReport sweepWork(List<JobName> removed, List<JobName> stuck) {
        List<Path> deleted = new ArrayList<>();
        List<Path> left = new ArrayList<>();
        for (Path directory : workDirectories) {
            for (String entry : namesIn(directory)) {
                Optional<JobName> name = JobName.parse(entry);
                if (name.isEmpty() || self.judge(name.get().owner()) != Life.DEAD) {
                    continue;
                }
                // A job that could not be ended may still write there.
                boolean gone = !stuck.contains(name.get()) && delete(directory, entry);
                (gone ? deleted : left).add(directory.resolve(entry));
            }
        }
        return new SweepReport(removed, stuck, deleted, left);
    }

    private boolean abandoned(JobName name) {
        return switch (self.judge(name.owner())) {
            case ALIVE -> false;
            case DEAD -> true;
            case UNKNOWN ->
                tree.directories(name.fileName()).emptySince(Instant.now().minus(FOREIGN_AGE));
        };
    }

    private static boolean delete(Path directory, String entry) {
        try {
            DirectoryTree.delete(directory, entry);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static List<String> namesIn(Path directory) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        } catch (IOException absent) {
            return List.of();
        }
        return names;
    }
}
