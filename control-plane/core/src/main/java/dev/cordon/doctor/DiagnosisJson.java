package dev.cordon.doctor;

import dev.cordon.json.JsonText;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** A diagnosis as the one JSON object that {@code cordon doctor --json} and {@code GET /v1/doctor} answer with. */
public final class DiagnosisJson {

    private DiagnosisJson() {}

    /** The object, on one line. */
    public static String of(Diagnosis diagnosis) {
        return JsonText.object(json -> {
            json.writeName("summary");
            summary(json, diagnosis);
            json.writeName("checks");
            json.writeStartArray();
            for (HostCheck check : diagnosis.checks()) {
                check(json, check);
            }
            json.writeEndArray();
        });
    }

    /** The object without anything about the host but whether jobs can run there. */
    public static String brief(Diagnosis diagnosis) {
        return "{\"summary\":{\"usable\":" + diagnosis.usable() + "},\"checks\":[]}";
    }

    private static void summary(JsonGenerator json, Diagnosis diagnosis) {
        json.writeStartObject();
        json.writeBooleanProperty("usable", diagnosis.usable());
        for (HostCheck.Status status : HostCheck.Status.values()) {
            json.writeNumberProperty(status.name().toLowerCase(Locale.ROOT), diagnosis.count(status));
        }
        json.writeEndObject();
    }

    private static void check(JsonGenerator json, HostCheck check) {
        json.writeStartObject();
        json.writeStringProperty("id", check.id());
        json.writeStringProperty("status", check.status().name());
        json.writeStringProperty("found", check.found());
        json.writeStringProperty("why", check.why());
        json.writeStringProperty("remedy", check.remedy());
        json.writeEndObject();
    }
}
