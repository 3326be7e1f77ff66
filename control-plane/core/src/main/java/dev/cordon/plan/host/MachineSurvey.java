package dev.cordon.plan.host;

import dev.cordon.job.JobSpec;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.MachineFacts;
import java.util.List;

/** Looks at the machines of this host and at their images, when a job needs one. */
@FunctionalInterface
public interface MachineSurvey {
    /**
     * The facts for one job. May take long the first time, when an image is built or acceleration is tried.
     *
     * @throws HostUnsupportedException when this host runs no machines, with the remedy
     */
    MachineFacts facts(JobSpec job) throws HostUnsupportedException;

    /**
     * An image as the root of a jail. May take long the first time, when it is built and unpacked.
     *
     * @throws HostUnsupportedException when it cannot be had, with the remedy
     */
    default ImageRoot image(String name) throws HostUnsupportedException {
        throw new HostUnsupportedException("image " + name, "no images are set up here; leave out the image");
    }

    /** A survey that builds, unpacks and tries nothing: what is not there yet is told as it is expected to be. */
    default MachineSurvey looking() {
        return this;
    }

    /** A host without machines. */
    static MachineSurvey none() {
        return job -> {
            throw new HostUnsupportedException("vm isolation", "no machines are set up here; ask for the level jail");
        };
    }

    /**
     * The command line that an image asks for; empty when it asks for none. Nothing is built.
     *
     * @throws HostUnsupportedException when nothing can be known of the image
     */
    default List<String> command(String name) throws HostUnsupportedException {
        throw new HostUnsupportedException("image " + name, "no images are set up here; leave out the image");
    }
}
