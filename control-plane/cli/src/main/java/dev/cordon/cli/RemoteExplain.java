package dev.cordon.cli;

import dev.cordon.api.FieldError;
import dev.cordon.api.Isolation;
import dev.cordon.api.Outcome;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.policy.Decision;
import dev.cordon.policy.Effect;
import dev.cordon.policy.Risk;
import dev.cordon.policy.Signal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** {@code cordon policy explain} by a service's policy. */
final class RemoteExplain implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        Remote.refuse(arguments, PolicyExplainCommand.POLICY, "it has a policy of its own");
        RemoteRun.refuse(arguments);
        JobArguments given = new JobArguments(arguments, stdio);
        JobBody body = JobBody.of(arguments, given, given.job());
        if (!body.errors().isEmpty()) {
            return invalid(body.errors(), stdio);
        }
        String text;
        try {
            text = service.text("POST", "/v1/policy/explain", body.json());
        } catch (Refusal e) {
            if (RemoteJob.outcome(e) instanceof Outcome.Invalid wrong) {
                return invalid(wrong.errors(), stdio);
            }
            throw e;
        }
        Decision decision = read(ServiceClient.MAPPER.readTree(text));
        stdio.print(arguments.has(Option.JSON) ? text + "\n" : PolicyExplainCommand.text(decision));
        return decision instanceof Decision.Allowed ? 0 : new Outcome.Denied(decision.reasons()).exitCode();
    }

    private static int invalid(List<FieldError> errors, Stdio stdio) {
        errors.forEach(error -> stdio.message("invalid job: " + error.message()));
        return new Outcome.Invalid(errors).exitCode();
    }

    private static Decision read(JsonNode json) {
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
        Effect effect = new Effect(
                null,
                null,
                Map.of(),
                json.path("require_hardware").asBoolean(false),
                escalate,
                escalate ? json.path("burst").asInt(Effect.BURST) : 0,
                false);
        return new Decision.Allowed(
                Isolation.parse(json.path("isolation").asString("")), reasons, weighed, rule, effect);
    }

    private static Signal signal(String key) {
        for (Signal signal : Signal.values()) {
            if (signal.key().equals(key)) {
                return signal;
            }
        }
        throw new IllegalArgumentException("the service weighs '" + key + "', which this version does not know");
    }
}
