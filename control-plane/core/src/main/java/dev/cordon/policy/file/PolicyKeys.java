package dev.cordon.policy.file;

import dev.cordon.job.limit.Limit;
import dev.cordon.policy.RiskSignal;
import java.util.Arrays;
import java.util.List;

/** Every key of a policy, by table. The reader refuses all others, and the published JSON Schema has exactly these. */
final class PolicyKeys {
    static final List<String> ROOT =
            List.of("version", "owners", "patterns", "ceilings", "risk", "commands", "files", "rule", "quota");
    static final List<String> RISK = List.of("vm", "deny", "large_code", "weights");
    static final List<String> COMMANDS = List.of("allow");
    static final List<String> FILES = List.of("read", "write");
    static final List<String> RULE = List.of(
            "name",
            "reason",
            "when",
            "action",
            "isolation",
            "profile",
            "limits",
            "require_hardware",
            "escalate",
            "burst",
            "ignore_risk");
    static final List<String> WHEN = List.of(
            "owner", "labels", "language", "trust", "network", "mounts", "binaries", "image", "profile", "isolation");
    static final List<String> QUOTA = List.of(
            "owner",
            "running",
            "queued",
            "patience",
            "rate",
            "burst",
            "window",
            "cpu_time",
            "memory_seconds",
            "memory");
    static final List<String> LIMITS =
            Arrays.stream(Limit.values()).map(Limit::key).toList();
    static final List<String> WEIGHTS =
            Arrays.stream(RiskSignal.values()).map(RiskSignal::key).toList();

    private PolicyKeys() {}
}
