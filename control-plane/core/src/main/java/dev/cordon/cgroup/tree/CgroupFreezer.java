package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.vm.time.RetryBackoff;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Stops all processes of a cgroup where they are, and lets them go on.
 *
 * @param control the file to write to
 * @param stop what to write to stop
 * @param go what to write to go on
 * @param state the file that shows the state
 * @param frozen what it shows when all have stopped
 */
public record CgroupFreezer(Path control, String stop, String go, Path state, String frozen) {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    public static CgroupFreezer unified(Path group) {
        return new CgroupFreezer(group.resolve("cgroup.freeze"), "1", "0", group.resolve("cgroup.events"), "frozen 1");
    }

    public static CgroupFreezer legacy(Path group) {
        Path state = group.resolve("freezer.state");
        return new CgroupFreezer(state, "FROZEN", "THAWED", state, "FROZEN");
    }

    /** Returns when every process has stopped. One that can't be stopped in time lets all go on again. */
    void freeze() throws CgroupException {
        CgroupFile.write(control, stop);
        if (!RetryBackoff.until(PATIENCE, this::isFrozen)) {
            thaw();
            throw CgroupException.late("frozen", state, PATIENCE.toMillis());
        }
    }

    void thaw() throws CgroupException {
        CgroupFile.write(control, go);
    }

    private boolean isFrozen() {
        return CgroupFile.readIfThere(state)
                .map(text -> text.lines().anyMatch(frozen::equals))
                .orElse(false);
    }
}
