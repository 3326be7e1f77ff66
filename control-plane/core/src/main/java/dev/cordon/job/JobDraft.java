package dev.cordon.job;

import dev.cordon.job.limit.Limit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a job or a sandbox while they are gathered; neither changes its own. */
final class JobDraft {
    Command command;
    final Map<Limit, String> limits = new EnumMap<>(Limit.class);
    final Map<String, String> environment = new LinkedHashMap<>();
    Stdin stdin = new Stdin.Empty();

    @Nullable
    String workdir;

    final List<Mount> mounts = new ArrayList<>();
    final List<WorkspaceFile> files = new ArrayList<>();

    @Nullable
    ProfileRef profile;

    @Nullable
    Isolation isolation;

    @Nullable
    Isolation atMost;

    boolean escalate = true;

    @Nullable
    String image;

    boolean strict;
    OnOutputLimit onOutputLimit = OnOutputLimit.TRUNCATE;
    OnViolation onViolation = OnViolation.REFUSE;

    @Nullable
    String macLabel;

    final Map<String, String> labels = new LinkedHashMap<>();
    String owner = "local";
    Trust trust = Trust.STANDARD;

    @Nullable
    Terminal terminal;

    boolean streaming;
    final List<String> artifacts = new ArrayList<>();

    JobDraft(Command command) {
        this.command = command;
    }

    JobDraft(JobDraft from) {
        command = from.command;
        limits.putAll(from.limits);
        environment.putAll(from.environment);
        stdin = from.stdin;
        workdir = from.workdir;
        mounts.addAll(from.mounts);
        files.addAll(from.files);
        profile = from.profile;
        isolation = from.isolation;
        atMost = from.atMost;
        escalate = from.escalate;
        image = from.image;
        strict = from.strict;
        onOutputLimit = from.onOutputLimit;
        onViolation = from.onViolation;
        macLabel = from.macLabel;
        labels.putAll(from.labels);
        owner = from.owner;
        trust = from.trust;
        terminal = from.terminal;
        streaming = from.streaming;
        artifacts.addAll(from.artifacts);
    }
}
