package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.LimitEnforcement;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The part of the host's hierarchies below {@code cordon}: makes jobs' cgroups there, and finds those that are left. */
public interface CgroupTree {

    /** Makes the parent directories ready. May be called again, after another control plane has removed them. */
    void prepare() throws CgroupException;

    /**
     * Makes the place that the job's supervisor is born in, before anything else of the job. Nothing is left behind when it fails.
     *
     * @return the v2 directory; empty when the host has none for us
     */
    Optional<Path> begin(JobName name) throws CgroupException;

    /** Makes the other directories, without limits: nothing may be in them yet. What was made before stays when it fails. */
    void make(JobName name) throws CgroupException;

    /** Writes the limits. */
    JobCgroup create(JobName name, CgroupLimits limits, CgroupQuarantine quarantine) throws CgroupException;

    /** What holds below. Valid after {@link #prepare}. */
    LimitEnforcement enforcement();

    /** The directories whose children are jobs, those that an earlier start may have used among them. */
    List<Path> bases();

    /** All directories that a job of this name may have below them, whether they are there or not. */
    JobDirectories directories(String name);
}
