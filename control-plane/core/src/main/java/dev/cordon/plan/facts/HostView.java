package dev.cordon.plan.facts;

import dev.cordon.job.JobSpec;
import org.jspecify.annotations.Nullable;

/**
 * What the survey found for one job: all that a plan takes from the host.
 *
 * @param host      the host itself, and the paths that the job names
 * @param openFiles the open files that one job may have
 * @param root      where the jail's programs come from
 * @param machines  the virtual machines of this host; null for a job that needs none
 */
public record HostView(
        HostFacts host,
        OpenFilesShare openFiles,
        ImageRoot root,
        @Nullable MachineFacts machines) {
    /** A view of the host's own root, without virtual machines and without a bound on open files. */
    public static HostView of(HostFacts host) {
        return of(host, new OpenFilesShare(Long.MAX_VALUE));
    }

    /** A view of the host's own root, without virtual machines. */
    public static HostView of(HostFacts host, OpenFilesShare openFiles) {
        return new HostView(host, openFiles, ImageRoot.of(host), null);
    }

    /** This view with an image as the root. */
    public HostView withRoot(ImageRoot image) {
        return new HostView(host, openFiles, image, machines);
    }

    /** This view with virtual machines. */
    public HostView withMachines(MachineFacts found) {
        return new HostView(host, openFiles, root, found);
    }

    /**
     * The job within the open files of the host.
     *
     * @param pids the processes that share the limit: the sandbox's, for a command in one
     * @throws dev.cordon.job.InvalidJob when the job asked for more
     */
    public JobSpec fitting(JobSpec job, long pids) {
        return openFiles.applied(job, pids);
    }
}
