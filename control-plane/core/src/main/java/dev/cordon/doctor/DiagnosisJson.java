package dev.cordon.doctor;

import dev.cordon.json.JsonMembers;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A diagnosis as the one JSON object that {@code cordon doctor --json} and {@code GET /v1/doctor} answer with. */
public final class DiagnosisJson {

    private DiagnosisJson() {}

    /** The object, on one line. */
    public static String of(HostDiagnosis diagnosis) {
        return JsonMembers.text(json -> {
            json.object("summary", () -> {
                json.put("usable", diagnosis.usable());
                for (HostCheck.Status status : HostCheck.Status.values()) {
                    json.put(status.name().toLowerCase(Locale.ROOT), diagnosis.count(status));
                }
            });
            json.objects(
                    "checks",
                    diagnosis.checks(),
                    check -> json.put("id", check.id())
                            .put("status", check.status().name())
                            .put("found", check.found())
                            .put("why", check.why())
                            .put("remedy", check.remedy()));
        });
    }

    /** The object without anything about the host but whether jobs can run there. */
    public static String brief(HostDiagnosis diagnosis) {
        return JsonMembers.text(json -> {
            json.object("summary", () -> json.put("usable", diagnosis.usable()));
            json.array("checks", List.of(), _ -> {});
        });
    }

    /** What was written; empty of a brief one. */
    public static Optional<HostDiagnosis> read(JsonNode json) {
        if (!json.path("summary").has("pass")) {
            return Optional.empty();
        }
        return Optional.of(new HostDiagnosis(json.path("checks")
                .valueStream()
                .map(check -> new HostCheck(
                        check.path("id").asString(""),
                        HostCheck.Status.valueOf(check.path("status").asString("")),
                        check.path("found").asString(""),
                        check.path("why").asString(""),
                        check.path("remedy").asString("")))
                .toList()));
    }
}
