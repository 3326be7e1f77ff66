package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupUsage;

/** Reads what the kernel counts for one job. Keeps files open: whoever removes the cgroups closes it. */
public interface CgroupCounters extends AutoCloseable {

    /** All of it. */
    CgroupUsage usage();

    /** The events alone, such as kills for memory; everything else is empty. */
    CgroupUsage events();

    /** Whether the job can be charged for so many bytes more before its memory limit is reached. */
    boolean fits(long bytes);

    /** Whether the buffers of the job's sockets have outgrown what the kernel's limit for them lets through. */
    default boolean socketsOverflow() {
        return false;
    }

    @Override
    void close();
}
