package dev.cordon.json;

import dev.cordon.job.JobSpec;
import dev.cordon.job.SandboxSpec;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The body of {@code POST /v1/sandboxes}, both ways. */
public final class SandboxRequest {
    private static final long LONGEST = Duration.ofDays(365).toSeconds();

    private SandboxRequest() {}

    public static SandboxSpec read(RequestFields fields) {
        SandboxSpec spec = JobRequest.provided(fields, SandboxSpec.create(), _ -> {});
        spec = JobRequest.contained(fields, spec, false).labels(JobRequest.labels(fields));
        String remedy = "give a number between them, or leave it out";
        spec = seconds(fields, "ttl_seconds", remedy).map(spec::timeToLive).orElse(spec);
        spec = seconds(fields, "idle_timeout_seconds", remedy).map(spec::idle).orElse(spec);
        fields.end();
        return spec;
    }

    /** A time that a sandbox can have. */
    public static Optional<Duration> seconds(RequestFields fields, String name, String remedy) {
        return fields.upTo(LONGEST, name, remedy).map(Duration::ofSeconds);
    }

    /** A sandbox with the containment of this job, which ends when nobody uses it for that time. */
    public static void write(ObjectNode body, JobSpec job, Duration idle) {
        body.put("idle_timeout_seconds", idle.toSeconds());
        JobRequest.writeContainment(body, job);
    }
}
