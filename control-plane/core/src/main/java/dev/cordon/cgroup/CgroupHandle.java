package dev.cordon.cgroup;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.OpenFlag;
import dev.cordon.bindings.wire.request.DescriptorRole;
import java.nio.file.Path;
import java.util.Set;

/**
 * A cgroup file that the supervisor gets as an open descriptor. Opened by the control plane: the kernel decides by the
 * rights of who opened it, so that init can still write to it after it has given up all of its own (tried on 6.18 with
 * another uid in a child user namespace).
 *
 * @param role what it is for
 * @param path the file
 * @param flags how to open it
 */
public record CgroupHandle(DescriptorRole role, Path path, Set<OpenFlag> flags) {

    /** Copies the flags. */
    public CgroupHandle {
        flags = Set.copyOf(flags);
    }

    /** The v2 directory that init is born in. */
    public static CgroupHandle directory(Path group) {
        return new CgroupHandle(DescriptorRole.CGROUP, group, Set.of(OpenFlag.READ, OpenFlag.DIRECTORY));
    }

    /** What kills that directory. */
    public static CgroupHandle kill(Path group) {
        return new CgroupHandle(DescriptorRole.CGROUP_KILL, group.resolve("cgroup.kill"), Set.of(OpenFlag.WRITE));
    }

    /** What init writes itself into, in a v1 hierarchy. */
    public static CgroupHandle tasks(Path group) {
        return new CgroupHandle(DescriptorRole.CGROUP_TASKS, group.resolve("tasks"), Set.of(OpenFlag.WRITE));
    }

    /** Where the supervisor reads the CPU time of the job. */
    public static CgroupHandle cpuUsage(Path file) {
        return new CgroupHandle(DescriptorRole.CPU_USAGE, file, Set.of(OpenFlag.READ));
    }

    /** Opens it; the caller owns the descriptor. */
    public Fd open(Kernel kernel) throws ErrnoException {
        return kernel.open(path, flags, 0);
    }
}
