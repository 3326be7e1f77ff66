package dev.cordon.json;

import dev.cordon.job.JobSpec;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.DurationFormat;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The body of {@code POST /v1/sandboxes}, both ways. */
public final class SandboxRequest {
    private static final Duration LONGEST = Duration.ofDays(365);

    private SandboxRequest() {}

    public static SandboxSpec read(RequestFields fields) {
        SandboxSpec spec = JobRequest.provided(fields, SandboxSpec.create(), _ -> {});
        spec = JobRequest.contained(fields, spec, false).labels(JobRequest.labels(fields));
        String remedy = "give a time such as 10m, or leave it out";
        spec = time(fields, "ttl", remedy).map(spec::ttl).orElse(spec);
        spec = time(fields, "idle_timeout", remedy).map(spec::idleTimeout).orElse(spec);
        fields.end();
        return spec;
    }

    /** A time that a sandbox can have. */
    public static Optional<Duration> time(RequestFields fields, String name, String remedy) {
        return fields.duration(LONGEST, name, remedy);
    }

    /** A sandbox with the containment of this job, which ends when nobody uses it for that time. */
    public static void write(ObjectNode body, JobSpec job, Duration idleTimeout) {
        body.put("idle_timeout", DurationFormat.format(idleTimeout));
        JobRequest.writeContainment(body, job);
    }
}
