package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupHandle;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.JobName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The cgroups of one jail, with its limits in place. Whoever created it destroys it; it serves one jail and is never
 * used again after a kill, because the kernel kills whatever is cloned into a cgroup that was killed once.
 */
public final class JobCgroup {

    /**
     * What the two versions differ in.
     *
     * @param directories all directories
     * @param supervisor where the supervisor is born
     * @param job the v2 directory of init and the job
     * @param handles for the supervisor
     * @param shown what the job is shown of them: directories, by their names below /sys/fs/cgroup; an empty name for that itself
     * @param freezer when there is one
     * @param counters what the kernel counts
     */
    public record Parts(
            JobDirectories directories,
            Optional<Path> supervisor,
            Optional<Path> job,
            List<CgroupHandle> handles,
            Map<String, Path> shown,
            Optional<CgroupFreezer> freezer,
            CgroupCounters counters) {}

    private final JobName name;
    private final Parts parts;
    private final CgroupQuarantine quarantine;
    private final AtomicBoolean killed = new AtomicBoolean();
    private final AtomicBoolean destroyed = new AtomicBoolean();

    public JobCgroup(JobName name, Parts parts, CgroupQuarantine quarantine) {
        this.name = name;
        this.parts = parts;
        this.quarantine = quarantine;
    }

    /** Its name, in every hierarchy. */
    public JobName name() {
        return name;
    }

    /** The v2 directory that the supervisor is born in; empty when the host has no v2 tree for us. */
    public Optional<Path> supervisor() {
        requireUnused();
        return parts.supervisor();
    }

    /**
     * What the supervisor gets in its first message.
     *
     * @throws IllegalStateException after {@link #kill}
     */
    public List<CgroupHandle> handles() {
        requireUnused();
        return parts.handles();
    }

    /** What the job is shown of them, by name below /sys/fs/cgroup. It has joined each; any other hierarchy would show it the host's. */
    public Map<String, Path> shown() {
        return parts.shown();
    }

    /** What the job has used so far. Read it before {@link #destroy}. */
    public CgroupUsage usage() {
        requireCounting();
        return parts.counters().usage();
    }

    /** The events of it alone, such as kills for memory, which a result waits for. */
    public CgroupUsage events() {
        requireCounting();
        return parts.counters().events();
    }

    /** Whether the job can be charged for so many bytes more before its memory limit is reached; true where nothing limits it. */
    public boolean fits(long bytes) {
        requireCounting();
        return parts.counters().fits(bytes);
    }

    /**
     * Whether the buffers of its TCP and UDP sockets take far more than their part of the memory limit, which cgroup v1 counts beside it
     * and does not hold by itself; false where they count as memory like all else, and after {@link #destroy}.
     */
    public boolean socketsOverflow() {
        return !destroyed.get() && parts.counters().socketsOverflow();
    }

    private void requireCounting() {
        if (destroyed.get()) {
            throw new IllegalStateException("the cgroup of " + name.job() + " is gone, and its counters with it");
        }
    }

    /** Stops every process of the job where it is; returns when all have stopped. */
    public void freeze() throws CgroupException {
        freezer().freeze();
    }

    /** Lets them go on. */
    public void thaw() throws CgroupException {
        freezer().thaw();
    }

    /** Whether {@link #freeze} is possible. */
    public boolean freezable() {
        return parts.freezer().isPresent();
    }

    /** Kills every process of the job at once, not the supervisor. Does not wait until they are gone. */
    public void kill() {
        killed.set(true);
        parts.job()
                .ifPresentOrElse(
                        ProcessList::killUnified,
                        () -> ProcessList.killLegacy(parts.directories().legacy()));
    }

    /**
     * Kills what is left, the supervisor too, and removes the directories. Waits at most 5 s for processes that do not
     * die at once; what is left then is quarantined and tried again later.
     *
     * @param whenGone run once, as soon as nothing is left: now, or after a later retry. Releases what must not be used
     *     again before, such as the uid slot
     * @return whether everything is gone now
     */
    public boolean destroy(Runnable whenGone) {
        if (destroyed.getAndSet(true)) {
            throw new IllegalStateException("the cgroup of " + name.job() + " was destroyed before");
        }
        killed.set(true);
        parts.counters().close();
        return quarantine.remove(name, parts.directories(), whenGone);
    }

    private CgroupFreezer freezer() {
        return parts.freezer()
                .orElseThrow(() -> new IllegalStateException("this host can't pause jobs: ask freezable() first"));
    }

    private void requireUnused() {
        if (killed.get()) {
            throw new IllegalStateException("the cgroup of " + name.job() + " was killed: it serves nobody again");
        }
    }
}
