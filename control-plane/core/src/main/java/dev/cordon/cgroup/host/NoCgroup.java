package dev.cordon.cgroup.host;

import dev.cordon.cgroup.CgroupHandle;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.JobCgroup;
import dev.cordon.cgroup.JobName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A job on a host without usable cgroups. The supervisor ends it by killing the init of its pid namespace.
 *
 * @param name the job's name, which its work directory carries all the same
 */
record NoCgroup(JobName name) implements JobCgroup {

    @Override
    public Optional<Path> supervisor() {
        return Optional.empty();
    }

    @Override
    public List<CgroupHandle> handles() {
        return List.of();
    }

    @Override
    public CgroupUsage usage() {
        return CgroupUsage.UNKNOWN;
    }

    @Override
    public CgroupUsage events() {
        return CgroupUsage.UNKNOWN;
    }

    @Override
    public boolean fits(long bytes) {
        return true;
    }

    @Override
    public void freeze() {
        throw new IllegalStateException("a job without a cgroup can't be paused: ask freezable() first");
    }

    @Override
    public void thaw() {}

    @Override
    public boolean freezable() {
        return false;
    }

    @Override
    public void kill() {}

    @Override
    public boolean destroy(Runnable whenGone) {
        whenGone.run();
        return true;
    }
}
