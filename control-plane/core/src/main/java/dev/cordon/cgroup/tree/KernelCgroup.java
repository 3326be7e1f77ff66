package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupHandle;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.JobCgroup;
import dev.cordon.cgroup.JobName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A job's cgroups that the kernel holds, whichever hierarchies they are in. */
public final class KernelCgroup implements JobCgroup {

    /**
     * What the two versions differ in.
     *
     * @param directories all directories
     * @param supervisor where the supervisor is born
     * @param job the v2 directory of init and the job
     * @param handles for the supervisor
     * @param freezer when there is one
     * @param counters what the kernel counts
     */
    public record Parts(
            JobDirectories directories,
            Optional<Path> supervisor,
            Optional<Path> job,
            List<CgroupHandle> handles,
            Optional<Freezer> freezer,
            CgroupCounters counters) {}

    private final JobName name;
    private final Parts parts;
    private final Quarantine quarantine;
    private final AtomicBoolean killed = new AtomicBoolean();
    private final AtomicBoolean destroyed = new AtomicBoolean();

    public KernelCgroup(JobName name, Parts parts, Quarantine quarantine) {
        this.name = name;
        this.parts = parts;
        this.quarantine = quarantine;
    }

    @Override
    public JobName name() {
        return name;
    }

    @Override
    public Optional<Path> supervisor() {
        requireUnused();
        return parts.supervisor();
    }

    @Override
    public List<CgroupHandle> handles() {
        requireUnused();
        return parts.handles();
    }

    @Override
    public CgroupUsage usage() {
        requireCounting();
        return parts.counters().usage();
    }

    @Override
    public CgroupUsage events() {
        requireCounting();
        return parts.counters().events();
    }

    @Override
    public boolean fits(long bytes) {
        requireCounting();
        return parts.counters().fits(bytes);
    }

    @Override
    public boolean socketsOverflow() {
        return !destroyed.get() && parts.counters().socketsOverflow();
    }

    private void requireCounting() {
        if (destroyed.get()) {
            throw new IllegalStateException("the cgroup of " + name.job() + " is gone, and its counters with it");
        }
    }

    @Override
    public void freeze() throws CgroupException {
        freezer().freeze();
    }

    @Override
    public void thaw() throws CgroupException {
        freezer().thaw();
    }

    @Override
    public boolean freezable() {
        return parts.freezer().isPresent();
    }

    @Override
    public void kill() {
        killed.set(true);
        parts.job()
                .ifPresentOrElse(
                        ProcessList::killUnified,
                        () -> ProcessList.killLegacy(parts.directories().legacy()));
    }

    @Override
    public boolean destroy(Runnable whenGone) {
        if (destroyed.getAndSet(true)) {
            throw new IllegalStateException("the cgroup of " + name.job() + " was destroyed before");
        }
        killed.set(true);
        parts.counters().close();
        return quarantine.remove(name, parts.directories(), whenGone);
    }

    private Freezer freezer() {
        return parts.freezer()
                .orElseThrow(() -> new IllegalStateException("this host can't pause jobs: ask freezable() first"));
    }

    private void requireUnused() {
        if (killed.get()) {
            throw new IllegalStateException("the cgroup of " + name.job() + " was killed: it serves nobody again");
        }
    }
}
