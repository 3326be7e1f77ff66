package dev.cordon.cli.command.run;

import dev.cordon.job.Isolation;
import dev.cordon.policy.Decision;
import dev.cordon.policy.Risk;
import dev.cordon.policy.RiskSignal;
import dev.cordon.policy.RuleEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What a service's policy says to a job, as the API tells it. */
final class DecisionReader {
    private DecisionReader() {}

    static Decision read(JsonNode json) {
        List<String> reasons = new ArrayList<>();
        json.path("reasons").forEach(reason -> reasons.add(reason.asString("")));
        JsonNode risk = json.path("risk");
        List<Risk.Share> shares = new ArrayList<>();
        for (JsonNode share : risk.path("signals")) {
            shares.add(new Risk.Share(
                    signal(share.path("signal").asString("")),
                    share.path("points").asInt(0),
                    share.path("why").asString("")));
        }
        Risk weighed = new Risk(
                risk.path("score").asInt(0),
                shares,
                risk.path("vm_threshold").isNumber() ? risk.path("vm_threshold").asInt() : null,
                risk.path("deny_threshold").isNumber()
                        ? risk.path("deny_threshold").asInt()
                        : null);
        String rule = json.path("rule").asString("");
        if (!json.path("allowed").asBoolean(false)) {
            return new Decision.Denied(reasons, weighed, rule, false);
        }
        boolean escalate = json.path("escalate").asBoolean(false);
        RuleEffect effect = new RuleEffect(
                null,
                null,
                Map.of(),
                json.path("require_hardware").asBoolean(false),
                escalate,
                escalate ? json.path("burst").asInt(RuleEffect.BURST) : 0,
                false);
        return new Decision.Allowed(
                Isolation.parse(json.path("isolation").asString("")), reasons, weighed, rule, effect);
    }

    private static RiskSignal signal(String key) {
        for (RiskSignal signal : RiskSignal.values()) {
            if (signal.key().equals(key)) {
                return signal;
            }
        }
        throw new IllegalArgumentException("the service weighs '" + key + "', which this version does not know");
    }
}
