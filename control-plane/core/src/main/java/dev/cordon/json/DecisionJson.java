package dev.cordon.json;

import dev.cordon.policy.Decision;
import dev.cordon.policy.Risk;
import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A decision as JSON: what, by which rule, with which score and why. */
public final class DecisionJson {
    private DecisionJson() {}

    /** The object on one line. */
    public static String of(Decision decision) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            write(json, decision);
        }
        return text.toString();
    }

    /** Writes one object. */
    public static void write(JsonGenerator json, Decision decision) {
        JsonMembers fields = new JsonMembers(json);
        json.writeStartObject();
        json.writeStringProperty("object", "decision");
        switch (decision) {
            case Decision.Allowed allowed -> {
                json.writeBooleanProperty("allowed", true);
                json.writeStringProperty("isolation", allowed.isolation().label());
                json.writeBooleanProperty("require_hardware", allowed.requireHardware());
                json.writeBooleanProperty("escalate", allowed.escalate());
                if (allowed.escalate()) {
                    json.writeNumberProperty("burst", allowed.burst());
                }
            }
            case Decision.Denied ignored -> {
                json.writeBooleanProperty("allowed", false);
                json.writeNullProperty("isolation");
            }
        }
        fields.text("rule", decision.rule().isEmpty() ? null : decision.rule());
        fields.strings("reasons", decision.reasons());
        fields.object("risk", () -> risk(fields, decision.risk()));
        json.writeEndObject();
    }

    private static void risk(JsonMembers fields, Risk risk) {
        fields.json().writeNumberProperty("score", risk.score());
        fields.number("vm_threshold", risk.vm() == null ? null : (long) risk.vm());
        fields.number("deny_threshold", risk.deny() == null ? null : (long) risk.deny());
        fields.objects("signals", risk.shares(), share -> {
            fields.json().writeStringProperty("signal", share.signal().key());
            fields.json().writeNumberProperty("points", share.points());
            fields.json().writeStringProperty("why", share.why());
        });
    }
}
