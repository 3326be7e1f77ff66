package dev.cordon.selftest;

import dev.cordon.json.JsonText;
import dev.cordon.selftest.rig.ProbeVerdict;

/** A report as the one JSON object that {@code cordon selftest --json} answers with. */
public final class SelftestJson {
    private SelftestJson() {}

    /** The object, on one line. */
    public static String of(SelftestReport report) {
        return JsonText.object(json -> {
            json.writeName("summary");
            json.writeStartObject();
            for (ProbeVerdict verdict : ProbeVerdict.values()) {
                json.writeNumberProperty(verdict.label(), report.count(verdict));
            }
            json.writeEndObject();
            json.writeName("probes");
            json.writeStartArray();
            for (ProbeReport probe : report.probes()) {
                json.writeStartObject();
                json.writeStringProperty("id", probe.id());
                json.writeStringProperty("title", probe.title());
                json.writeStringProperty("verdict", probe.verdict().label());
                json.writeStringProperty("detail", probe.detail());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }
}
