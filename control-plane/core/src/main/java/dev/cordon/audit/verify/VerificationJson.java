package dev.cordon.audit.verify;

import dev.cordon.json.JsonText;

/** A verification as one JSON object. */
public final class VerificationJson {
    private VerificationJson() {}

    /** The object on one line. */
    public static String of(Verification found) {
        return JsonText.object(json -> {
            json.writeBooleanProperty("intact", found.intact());
            json.writeBooleanProperty("anchored", found.proof().anchoredTo() > 0);
            json.writeNumberProperty("anchored_to", found.proof().anchoredTo());
            if (found.proof().signedTo() > 0) {
                json.writeNumberProperty("signed_to", found.proof().signedTo());
            }
            json.writeNumberProperty("records", found.records());
            json.writeNumberProperty("files", found.files());
            json.writeNumberProperty("first", found.first());
            json.writeNumberProperty("last", found.last());
            json.writeStringProperty("sha256", found.hash());
            Verification.Removal removal = found.removal();
            if (removal != null) {
                json.writeObjectPropertyStart("retention");
                json.writeNumberProperty("files", removal.files());
                json.writeNumberProperty("records", found.first() - 1);
                json.writeStringProperty("time", removal.time());
                json.writeEndObject();
            }
            Verification.Breakage breakage = found.breakage();
            if (breakage != null) {
                json.writeObjectPropertyStart("broken");
                json.writeStringProperty("file", breakage.file().toString());
                json.writeNumberProperty("line", breakage.line());
                json.writeStringProperty("reason", breakage.reason());
                json.writeEndObject();
            }
            json.writeArrayPropertyStart("notes");
            found.notes().forEach(json::writeString);
            json.writeEndArray();
        });
    }
}
