package dev.cordon.server.body;

import dev.cordon.job.OnViolation;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.Limit;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The body of {@code POST /v1/sandboxes}. */
public final class SandboxReader {
    public static final long LONGEST = Duration.ofDays(365).toSeconds();

    private SandboxReader() {}

    public static SandboxSpec read(RequestFields fields) {
        SandboxSpec spec = SandboxSpec.create().strict(fields.flag("strict"));
        Optional<RequestFields> limits = fields.object("limits");
        if (limits.isPresent()) {
            for (Map.Entry<Limit, String> limit : LimitFields.read(limits.get()).entrySet()) {
                spec = spec.limit(limit.getKey(), limit.getValue());
            }
        }
        for (Map.Entry<String, String> variable : fields.textMap("env").entrySet()) {
            spec = spec.env(variable.getKey(), variable.getValue());
        }
        for (Map.Entry<String, String> label : RequestLabels.read(fields).entrySet()) {
            spec = spec.label(label.getKey(), label.getValue());
        }
        Optional<String> profile = fields.text("profile");
        spec = profile.isPresent() ? spec.profile(profile.get()) : spec;
        spec = IsolationField.applied(fields, spec);
        OnViolation violation = JobReader.choice(fields, "on_violation", OnViolation.values());
        spec = violation == null ? spec : spec.also(job -> job.onViolation(violation));
        Optional<String> image = fields.text("image");
        spec = image.isPresent() ? spec.image(image.get()) : spec;
        Optional<Duration> life = seconds(fields, "ttl_seconds");
        spec = life.isPresent() ? spec.timeToLive(life.get()) : spec;
        Optional<Duration> idle = seconds(fields, "idle_timeout_seconds");
        spec = idle.isPresent() ? spec.idle(idle.get()) : spec;
        fields.end();
        return spec;
    }

    private static Optional<Duration> seconds(RequestFields fields, String name) {
        OptionalLong seconds = fields.whole(name);
        if (seconds.isEmpty()) {
            return Optional.empty();
        }
        if (seconds.getAsLong() < 1 || seconds.getAsLong() > LONGEST) {
            fields.error(
                    name,
                    Long.toString(seconds.getAsLong()),
                    "is not between 1 and " + LONGEST,
                    "give a number between them, or leave it out");
            return Optional.empty();
        }
        return Optional.of(Duration.ofSeconds(seconds.getAsLong()));
    }
}
