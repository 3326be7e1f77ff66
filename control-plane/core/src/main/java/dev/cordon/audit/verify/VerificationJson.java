package dev.cordon.audit.verify;

import dev.cordon.json.JsonMembers;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** A verification as one JSON object. */
public final class VerificationJson {
    private VerificationJson() {}

    /** The object on one line. */
    public static String of(LogVerification found) {
        return JsonMembers.text(json -> {
            json.put("intact", found.intact());
            json.put("anchored", found.proof().anchoredTo() > 0);
            json.put("anchored_to", found.proof().anchoredTo());
            if (found.proof().signedTo() > 0) {
                json.put("signed_to", found.proof().signedTo());
            }
            json.put("records", found.records()).put("files", found.files());
            json.put("first", found.first()).put("last", found.last()).put("sha256", found.hash());
            LogVerification.Removal removal = found.removal();
            if (removal != null) {
                json.object(
                        "retention",
                        () -> json.put("files", removal.files())
                                .put("records", found.first() - 1)
                                .put("time", removal.time()));
            }
            LogVerification.Breakage breakage = found.breakage();
            if (breakage != null) {
                json.object(
                        "broken",
                        () -> json.put("file", breakage.file().toString())
                                .put("line", breakage.line())
                                .put("reason", breakage.reason()));
            }
            json.strings("notes", found.notes());
        });
    }

    /** What was written. What is not said to be intact is not. */
    public static LogVerification read(JsonNode json) {
        JsonNode removal = json.path("retention");
        JsonNode broken = json.path("broken");
        return new LogVerification(
                json.path("records").asLong(0),
                json.path("files").asInt(0),
                json.path("first").asLong(0),
                json.path("last").asLong(0),
                json.path("sha256").asString(""),
                removal.isObject()
                        ? new LogVerification.Removal(
                                removal.path("files").asLong(0),
                                removal.path("time").asString(""))
                        : null,
                new LogVerification.Proof(
                        json.path("anchored_to").asLong(0),
                        json.path("signed_to").asLong(0)),
                json.path("intact").asBoolean(false)
                        ? null
                        : new LogVerification.Breakage(
                                Path.of(broken.path("file").asString("log")),
                                broken.path("line").asLong(0),
                                broken.path("reason").asString("the service does not say that it is intact")),
                json.path("notes").valueStream().map(note -> note.asString("")).toList());
    }
}
