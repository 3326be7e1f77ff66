package dev.cordon.policy.file;

import dev.cordon.job.Isolation;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.job.limit.Limit;
import dev.cordon.policy.RateLimit;
import dev.cordon.policy.RiskSignal;
import dev.cordon.policy.RuleEffect;
import dev.cordon.policy.rule.AllowLists;
import dev.cordon.policy.rule.NamePatterns;
import dev.cordon.policy.rule.Policy;
import dev.cordon.policy.rule.PolicyRule;
import dev.cordon.policy.rule.Quota;
import dev.cordon.policy.rule.RiskModel;
import dev.cordon.policy.rule.RuleMatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a policy from TOML. What is not understood is an error: a misspelt rule would not be a rule. */
public final class PolicyFile {
    private static final long MOST_BYTES = 4 << 20;
    private static final int MOST_JOBS = 1_000_000;

    private final List<String> errors = new ArrayList<>();

    private PolicyFile() {}

    /**
     * Reads a file.
     *
     * @throws InvalidPolicy with all errors
     */
    public static Policy read(Path file) {
        return parse(file.toString(), TomlTable.text(file, MOST_BYTES, "", InvalidPolicy::new));
    }

    /** The text of the policy that ships, with its explanations. */
    public static String standardText() {
        return shipped("/dev/cordon/policy.toml");
    }

    /** The JSON Schema of policies. */
    public static String schemaText() {
        return shipped("/dev/cordon/policy.schema.json");
    }

    private static String shipped(String name) {
        try (InputStream in = PolicyFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read", e);
        }
    }

    /**
     * Reads a text.
     *
     * @param source what it is called in messages
     * @throws InvalidPolicy with all errors
     */
    public static Policy parse(String source, String text) {
        JsonNode root = TomlTable.tree(source, text, InvalidPolicy::new);
        PolicyFile file = new PolicyFile();
        Policy policy = file.policy(TomlTable.of(source, "", root, PolicyKeys.ROOT, file.errors));
        if (!file.errors.isEmpty()) {
            throw new InvalidPolicy(file.errors);
        }
        return policy;
    }

    private Policy policy(TomlTable root) {
        Integer version = root.number("version", 1, 1);
        if (version == null && !root.has("version")) {
            root.wrong("version", "is missing", "write version = 1");
        }
        List<PolicyRule> rules = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (TomlTable table : root.tables("rule", PolicyKeys.RULE)) {
            PolicyRule rule = rule(table);
            if (!names.add(rule.name())) {
                table.wrong("name", "'" + rule.name() + "' is another rule's name", "give each rule its own");
            }
            rules.add(rule);
        }
        return new Policy(
                limits(root.table("ceilings", PolicyKeys.LIMITS)),
                names(root, "owners"),
                rules,
                risk(root.table("risk", PolicyKeys.RISK)),
                lists(root.table("commands", PolicyKeys.COMMANDS), root.table("files", PolicyKeys.FILES)),
                root.values("patterns", PolicyFile::pattern, "[\"curl | sh\"]"),
                root.tables("quota", PolicyKeys.QUOTA).stream().map(this::quota).toList());
    }

    private static String pattern(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("is empty and would be in every code");
        }
        return text;
    }

    private PolicyRule rule(TomlTable table) {
        String name = table.text("name", "");
        if (name.isBlank()) {
            table.wrong("name", "is missing", "name the rule; its name is in every decision");
        }
        String action = table.text("action", "allow");
        if (!action.equals("allow") && !action.equals("deny")) {
            table.wrong("action", "'" + action + "' is not an action", "write allow or deny");
        }
        boolean escalate = isTrue(table, "escalate");
        RuleEffect effect = new RuleEffect(
                table.value("isolation", Isolation::parse, "process, jail or vm"),
                table.value("profile", PolicyFile::profile, "default, strict, jvm or debug"),
                limits(table.table("limits", PolicyKeys.LIMITS)),
                isTrue(table, "require_hardware"),
                escalate,
                burst(table, escalate),
                isTrue(table, "ignore_risk"));
        boolean deny = action.equals("deny");
        if (deny && !effect.equals(RuleEffect.NONE)) {
            table.wrong("action", "deny leaves nothing to set", "remove the other keys, or allow");
        }
        String reason = table.text("reason", deny ? "the operator does not allow it" : "");
        return new PolicyRule(name, reason, when(table.table("when", PolicyKeys.WHEN)), deny ? null : effect);
    }

    private static int burst(TomlTable table, boolean escalate) {
        Integer burst = table.number("burst", 1, MOST_JOBS);
        if (burst != null && !escalate) {
            table.wrong("burst", "is about what a watched job may do", "write escalate = true");
        }
        return !escalate ? 0 : burst == null ? RuleEffect.BURST : burst;
    }

    private static String profile(String text) {
        if (!List.of("default", "strict", "jvm", "debug").contains(text)) {
            throw new IllegalArgumentException("is none of Cordon's profiles");
        }
        return text;
    }

    private static boolean isTrue(TomlTable table, String key) {
        return Boolean.TRUE.equals(table.truth(key));
    }

    private RuleMatch when(TomlTable table) {
        Map<String, NamePatterns> labels = new LinkedHashMap<>();
        TomlTable given = table.table("labels", null);
        for (String label : given.names()) {
            NamePatterns values = names(given, label);
            if (values != null) {
                labels.put(label, values);
            }
        }
        return new RuleMatch(
                names(table, "owner"),
                labels,
                names(table, "language"),
                new HashSet<>(table.values("trust", Trust::parse, "trusted, standard or untrusted")),
                names(table, "network"),
                table.value("mounts", PolicyFile::access, "none, read or write"),
                table.truth("binaries"),
                names(table, "image"),
                names(table, "profile"),
                new HashSet<>(table.values("isolation", Isolation::parse, "process, jail or vm")));
    }

    private static RuleMatch.Access access(String text) {
        return Arrays.stream(RuleMatch.Access.values())
                .filter(access -> access.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("is not an access"));
    }

    private static @Nullable NamePatterns names(TomlTable table, String key) {
        return table.has(key) ? new NamePatterns(table.values(key, text -> text, "a name, or a list of names")) : null;
    }

    static Map<Limit, Long> limits(TomlTable table) {
        Map<Limit, Long> amounts = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            Long amount = table.value(limit.key(), limit::parse, limit.example());
            if (amount != null) {
                amounts.put(limit, amount);
            }
        }
        return amounts;
    }

    private static RiskModel risk(TomlTable table) {
        Map<RiskSignal, Integer> weights = new EnumMap<>(RiskSignal.class);
        TomlTable given = table.table("weights", PolicyKeys.WEIGHTS);
        for (RiskSignal signal : RiskSignal.values()) {
            Integer points = given.number(signal.key(), 0, 1000);
            if (points != null && points != signal.points()) {
                weights.put(signal, points);
            }
        }
        ByteSize large = table.value("large_code", ByteSize::parse, "a size such as 256K");
        Integer vm = table.number("vm", 1, 100_000);
        return new RiskModel(
                weights,
                table.has("vm") ? vm : RiskModel.STANDARD.vm(),
                table.number("deny", 1, 100_000),
                large == null ? RiskModel.STANDARD.largeCode() : large.bytes());
    }

    private static AllowLists lists(TomlTable commands, TomlTable files) {
        return new AllowLists(
                commands.has("allow")
                        ? commands.values("allow", PolicyFile::command, "a name such as python3, or a path")
                        : null,
                files.has("read") ? files.values("read", PolicyFile::directory, "absolute paths") : null,
                files.has("write") ? files.values("write", PolicyFile::directory, "absolute paths") : null);
    }

    private static String command(String text) {
        if (text.isBlank() || (text.indexOf('/') >= 0 && !text.startsWith("/"))) {
            throw new IllegalArgumentException("is neither a name without '/' nor an absolute path");
        }
        return text;
    }

    private static Path directory(String text) {
        if (!text.startsWith("/") || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("is not an absolute path");
        }
        return Path.of(text).normalize();
    }

    private Quota quota(TomlTable table) {
        NamePatterns owners = names(table, "owner");
        Integer queued = table.number("queued", 0, MOST_JOBS);
        return new Quota(
                owners == null ? new NamePatterns(List.of("*")) : owners,
                table.number("running", 1, MOST_JOBS),
                queued == null ? 0 : queued,
                duration(table, "patience", Quota.PATIENCE),
                rate(table),
                duration(table, "window", Quota.WINDOW),
                table.value("cpu_time", PolicyFile::positive, "a duration such as 10m"),
                table.value("memory_seconds", ByteSize::parse, "a size such as 3600G"),
                table.value("memory", ByteSize::parse, "a size such as 4G"));
    }

    private static Duration duration(TomlTable table, String key, Duration otherwise) {
        Duration value = table.value(key, PolicyFile::positive, "a duration such as 30s");
        return value == null ? otherwise : value;
    }

    private static Duration positive(String text) {
        Duration duration = DurationFormat.parse(text);
        if (!duration.isPositive()) {
            throw new IllegalArgumentException("is not above zero");
        }
        return duration;
    }

    static @Nullable RateLimit rate(TomlTable table) {
        Integer burst = table.number("burst", 1, MOST_JOBS);
        RateLimit rate = table.value(
                "rate",
                text -> {
                    int slash = text.indexOf('/');
                    String count = slash < 0 ? "" : text.substring(0, slash);
                    if (!count.matches("[1-9][0-9]{0,6}")) {
                        throw new IllegalArgumentException("is not COUNT/PERIOD");
                    }
                    int tokens = Integer.parseInt(count);
                    return new RateLimit(tokens, positive(text.substring(slash + 1)), burst == null ? tokens : burst);
                },
                "a rate such as 60/1m");
        if (rate == null && burst != null) {
            table.wrong("burst", "has no rate to belong to", "write rate = \"60/1m\"");
        }
        return rate;
    }
}
