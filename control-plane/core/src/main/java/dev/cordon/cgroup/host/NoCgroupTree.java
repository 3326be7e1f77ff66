package dev.cordon.cgroup.host;

import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.Cgroups;
import dev.cordon.cgroup.Enforcement;
import dev.cordon.cgroup.JobCgroup;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.tree.CgroupTree;
import dev.cordon.cgroup.tree.JobDirectories;
import dev.cordon.cgroup.tree.Quarantine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A host without usable cgroups: jobs run, and nothing is held for them as a whole.
 *
 * @param none why
 */
record NoCgroupTree(Cgroups.None none) implements CgroupTree {

    @Override
    public void prepare() {}

    @Override
    public Optional<Path> begin(JobName name) {
        return Optional.empty();
    }

    @Override
    public void make(JobName name) {}

    @Override
    public JobCgroup create(JobName name, CgroupLimits limits, Quarantine quarantine) {
        return new NoCgroup(name);
    }

    @Override
    public Enforcement enforcement() {
        return new Enforcement(Set.of(), none.reason(), none.remedy());
    }

    @Override
    public List<Path> bases() {
        return List.of();
    }

    @Override
    public JobDirectories directories(String name) {
        return new JobDirectories(Optional.empty(), List.of());
    }
}
