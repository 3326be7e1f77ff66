package dev.cordon.selftest;

import dev.cordon.json.JsonMembers;
import dev.cordon.selftest.rig.ProbeVerdict;

/** A report as the one JSON object that {@code cordon selftest --json} answers with. */
public final class SelftestJson {
    private SelftestJson() {}

    /** The object, on one line. */
    public static String of(SelftestReport report) {
        return JsonMembers.text(json -> {
            json.object("summary", () -> {
                for (ProbeVerdict verdict : ProbeVerdict.values()) {
                    json.put(verdict.label(), report.count(verdict));
                }
            });
            json.objects(
                    "probes",
                    report.probes(),
                    probe -> json.put("id", probe.id())
                            .put("title", probe.title())
                            .put("verdict", probe.verdict().label())
                            .put("detail", probe.detail()));
        });
    }
}
