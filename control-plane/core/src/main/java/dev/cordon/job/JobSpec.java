package dev.cordon.job;

import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job that has been checked: every field is present, inside its range and copied. Only {@link Job#validate} makes one.
 *
 * @param command       what runs
 * @param limits        the limits that hold
 * @param asked         the limits that the caller named; the others are defaults
 * @param environment   variables beside the jail's own, in the order given
 * @param stdin         standard input
 * @param workdir       the working directory inside the jail
 * @param mounts        host files and directories that the job sees
 * @param files         files written into the workspace first
 * @param profile       the seccomp profile
 * @param isolation     the level asked for; null leaves it to the policy
 * @param atMost        the highest level that the caller allows; null for any
 * @param image         the image that is its root; null for the usual one of its level
 * @param strict        whether limits that the host cannot enforce refuse the job
 * @param onOutputLimit what happens at the output limit
 * @param onViolation   what happens at a tripwire
 * @param macLabel      an AppArmor profile or SELinux context to execute under; null for none
 * @param labels        the caller's own notes
 * @param owner         on whose behalf the job runs
 * @param terminal      a terminal instead of the three streams; null for none
 * @param streaming     whether the caller reads the output streams himself
 * @param trust         how far the caller vouches for the code
 * @param escalate      whether the job may be run again in a virtual machine where the policy says so
 * @param artifacts     what is collected from its workspace when it is over
 */
public record JobSpec(
        Command command,
        Limits limits,
        Set<Limit> asked,
        Map<String, String> environment,
        Stdin stdin,
        String workdir,
        List<Mount> mounts,
        List<WorkspaceFile> files,
        ProfileRef profile,
        @Nullable Isolation isolation,
        @Nullable Isolation atMost,
        @Nullable String image,
        boolean strict,
        OnOutputLimit onOutputLimit,
        OnViolation onViolation,
        @Nullable String macLabel,
        Map<String, String> labels,
        String owner,
        @Nullable Terminal terminal,
        boolean streaming,
        Trust trust,
        boolean escalate,
        List<String> artifacts) {

    /** Copies the collections, keeping their order. */
    public JobSpec {
        asked = Set.copyOf(asked);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        mounts = List.copyOf(mounts);
        files = List.copyOf(files);
        artifacts = List.copyOf(artifacts);
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** A piece of code in the containment of this sandbox, under these limits. */
    public JobSpec running(Command.Code code, Limits held) {
        return new JobSpec(
                code,
                held,
                asked,
                environment,
                stdin,
                workdir,
                mounts,
                files,
                profile,
                isolation,
                atMost,
                image,
                strict,
                onOutputLimit,
                onViolation,
                macLabel,
                labels,
                owner,
                terminal,
                streaming,
                trust,
                escalate,
                List.of());
    }

    /** This job with what a policy may change: its limits, its filter and its reaction to a tripwire. */
    public JobSpec under(Limits held, ProfileRef filter, OnViolation reaction) {
        return new JobSpec(
                command,
                held,
                asked,
                environment,
                stdin,
                workdir,
                mounts,
                files,
                filter,
                isolation,
                atMost,
                image,
                strict,
                onOutputLimit,
                reaction,
                macLabel,
                labels,
                owner,
                terminal,
                streaming,
                trust,
                escalate,
                artifacts);
    }
}
