package dev.cordon.engine.lease;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.OpenFlag;
import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.host.CgroupHost;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a lease: enough to start a supervisor with, which gets ready while the rest is made.
 *
 * @param name       of everything that the sandbox has on disk
 * @param slot       its ids; null when they are not leased
 * @param supervisor the cgroup that the supervisor is born in; null when there is none
 * @param cgroups    where it lies
 */
public record PendingLease(
        JobName name, @Nullable UidSlot slot, @Nullable Path supervisor, CgroupHost cgroups) {
    /** The cgroup that the supervisor itself is born in. */
    public @Nullable Fd supervisorCgroup(Kernel kernel) throws ErrnoException {
        return supervisor == null ? null : kernel.open(supervisor, Set.of(OpenFlag.READ, OpenFlag.DIRECTORY), 0);
    }

    /** Makes the sandbox's other cgroups, still without limits. */
    void make() throws CgroupException {
        cgroups.make(name);
    }

    /** Gives it back when nothing will stand on it; the ids last. */
    public void release() {
        cgroups.abandon(name, () -> {
            if (slot != null) {
                slot.close();
            }
        });
    }
}
