package dev.cordon.doctor;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Versions as the one JSON object of {@code cordon version --json}. */
public final class VersionsJson {

    private VersionsJson() {}

    /** The object, on one line. */
    public static String of(Versions versions) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeStringProperty("cordon", versions.cordon());
            json.writeStringProperty("java", versions.java());
            json.writeStringProperty("kernel", versions.kernel());
            json.writeStringProperty("libcordon", versions.libcordon());
            json.writeStringProperty("libseccomp", versions.libseccomp());
            json.writeEndObject();
        }
        return text.toString();
    }
}
