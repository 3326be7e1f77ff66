package dev.cordon.json;

import dev.cordon.job.Isolation;
import dev.cordon.policy.Decision;
import dev.cordon.policy.Risk;
import dev.cordon.policy.RiskSignal;
import dev.cordon.policy.RuleEffect;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A decision as JSON: what, by which rule, with which score and why. */
public final class DecisionJson {
    private DecisionJson() {}

    /** The object on one line. */
    public static String of(Decision decision) {
        return JsonMembers.text(json -> {
            json.put("object", "decision");
            switch (decision) {
                case Decision.Allowed allowed -> {
                    json.put("allowed", true)
                            .put("isolation", allowed.isolation().label());
                    json.put("require_hardware", allowed.requireHardware()).put("escalate", allowed.escalate());
                    if (allowed.escalate()) {
                        json.put("burst", allowed.burst());
                    }
                }
                case Decision.Denied ignored -> json.put("allowed", false).put("isolation", (String) null);
            }
            json.put("rule", decision.rule().isEmpty() ? null : decision.rule());
            json.strings("reasons", decision.reasons());
            json.object("risk", () -> risk(json, decision.risk()));
        });
    }

    private static void risk(JsonMembers json, Risk risk) {
        json.put("score", risk.score());
        json.put("vm_threshold", risk.vm() == null ? null : (long) risk.vm());
        json.put("deny_threshold", risk.deny() == null ? null : (long) risk.deny());
        json.objects(
                "signals",
                risk.shares(),
                share -> json.put("signal", share.signal().key())
                        .put("points", share.points())
                        .put("why", share.why()));
    }

    /**
     * What was written. The limits that a rule sets are not among it.
     *
     * @throws IllegalArgumentException when it is none, or weighs what this version does not know
     */
    public static Decision read(JsonNode json) {
        List<String> reasons = ResultJson.strings(json.path("reasons"));
        Risk risk = risk(json.path("risk"));
        String rule = json.path("rule").asString("");
        if (!json.path("allowed").asBoolean(false)) {
            return new Decision.Denied(reasons, risk, rule, false);
        }
        boolean hardware = json.path("require_hardware").asBoolean(false);
        boolean escalate = json.path("escalate").asBoolean(false);
        int burst = escalate ? json.path("burst").asInt(RuleEffect.BURST) : 0;
        RuleEffect effect = new RuleEffect(null, null, Map.of(), hardware, escalate, burst, false);
        return new Decision.Allowed(Isolation.parse(json.path("isolation").asString("")), reasons, risk, rule, effect);
    }

    private static Risk risk(JsonNode risk) {
        List<Risk.Share> shares = risk.path("signals")
                .valueStream()
                .map(share -> new Risk.Share(
                        signal(share.path("signal").asString("")),
                        share.path("points").asInt(0),
                        share.path("why").asString("")))
                .toList();
        return new Risk(
                risk.path("score").asInt(0),
                shares,
                whole(risk.path("vm_threshold")),
                whole(risk.path("deny_threshold")));
    }

    private static @Nullable Integer whole(JsonNode number) {
        return number.isNumber() ? (Integer) number.asInt() : null;
    }

    private static RiskSignal signal(String key) {
        return Arrays.stream(RiskSignal.values())
                .filter(signal -> signal.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the service weighs '" + key + "', which this version does not know"));
    }
}
