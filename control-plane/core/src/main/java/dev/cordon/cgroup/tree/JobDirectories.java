package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupFile;
import dev.cordon.vm.time.RetryBackoff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every directory of one job, in all hierarchies: what is killed and removed together.
 *
 * @param unified the job's directory in the v2 tree, with {@code sup} and {@code job} below
 * @param legacy its directories in v1 hierarchies
 */
public record JobDirectories(Optional<Path> unified, List<Path> legacy) {

    /** The supervisor's cgroup below the job's, without limits. */
    public static final String SUPERVISOR = "sup";

    /** The cgroup of init and the job's processes. */
    public static final String JOB = "job";

    public JobDirectories {
        legacy = List.copyOf(legacy);
    }

    /** Kills everything inside, the supervisor too. On a hybrid host whoever is in the v1 groups is in the v2 tree too. */
    public void killAll() {
        unified.filter(Files::exists).ifPresentOrElse(ProcessList::killUnified, () -> ProcessList.killLegacy(legacy));
    }

    /** Removes what is empty, and says whether nothing is left. That is also the proof that no process is left. */
    public boolean removeOnce() {
        boolean gone = unified.map(JobDirectories::removeUnified).orElse(true);
        for (Path directory : legacy) {
            gone &= CgroupFile.removeDirectory(directory);
        }
        return gone;
    }

    /** Kills and removes. Whether everything was gone in time. */
    public boolean removeWithin(Duration limit) {
        // Most jobs have ended by themselves: then there is nobody to kill, and this is all.
        if (removeOnce()) {
            return true;
        }
        return RetryBackoff.until(limit, () -> {
            killAll();
            return removeOnce() || removeDeep();
        });
    }

    /** Whether nothing lives inside and nothing has been made there since. */
    public boolean emptySince(Instant time) {
        List<Path> all = new ArrayList<>(legacy);
        unified.ifPresent(top -> all.addAll(ProcessList.withChildren(top)));
        return all.stream().filter(Files::exists).allMatch(group -> {
            try {
                return Files.getLastModifiedTime(group).toInstant().isBefore(time)
                        && CgroupFile.read(group.resolve("cgroup.procs")).isEmpty();
            } catch (IOException gone) {
                return true;
            }
        });
    }

    private static boolean removeUnified(Path top) {
        return CgroupFile.removeDirectory(top.resolve(JOB))
                && CgroupFile.removeDirectory(top.resolve(SUPERVISOR))
                && CgroupFile.removeDirectory(top);
    }

    /** For groups that something made below ours. */
    private boolean removeDeep() {
        unified.ifPresent(top -> ProcessList.withChildren(top).forEach(CgroupFile::removeDirectory));
        legacy.forEach(group -> ProcessList.withChildren(group).forEach(CgroupFile::removeDirectory));
        return removeOnce();
    }
}
