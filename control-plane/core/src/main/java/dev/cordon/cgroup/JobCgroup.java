package dev.cordon.cgroup;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The cgroups of one jail, with its limits in place. Whoever created it destroys it; it serves one jail and is never
 * used again after a kill, because the kernel kills whatever is cloned into a cgroup that was killed once.
 */
public interface JobCgroup {

    /** Its name, in every hierarchy. */
    JobName name();

    /** The v2 directory that the supervisor is born in; empty when the host has no v2 tree for us. */
    Optional<Path> supervisor();

    /**
     * What the supervisor gets in its first message.
     *
     * @throws IllegalStateException after {@link #kill}
     */
    List<CgroupHandle> handles();

    /** What the job has used so far. Read it before {@link #destroy}. */
    CgroupUsage usage();

    /** The events of it alone, such as kills for memory, which a result waits for. */
    CgroupUsage events();

    /** Whether the job can be charged for so many bytes more before its memory limit is reached; true where nothing limits it. */
    boolean fits(long bytes);

    /**
     * Whether the buffers of its TCP and UDP sockets take far more than their part of the memory limit, which cgroup v1 counts beside it
     * and does not hold by itself; false where they count as memory like all else, and after {@link #destroy}.
     */
    default boolean socketsOverflow() {
        return false;
    }

    /** Stops every process of the job where it is; returns when all have stopped. */
    void freeze() throws CgroupException;

    /** Lets them go on. */
    void thaw() throws CgroupException;

    /** Whether {@link #freeze} is possible. */
    boolean freezable();

    /** Kills every process of the job at once, not the supervisor. Does not wait until they are gone. */
    void kill();

    /**
     * Kills what is left, the supervisor too, and removes the directories. Waits at most 5 s for processes that do not
     * die at once; what is left then is quarantined and tried again later.
     *
     * @param whenGone run once, as soon as nothing is left: now, or after a later retry. Releases what must not be used
     *     again before, such as the uid slot
     * @return whether everything is gone now
     */
    boolean destroy(Runnable whenGone);

    /** Removes the cgroup, for a caller who has nothing to release. */
    default boolean destroy() {
        return destroy(() -> {});
    }
}
