package dev.cordon.doctor;

import dev.cordon.json.JsonText;

/** Versions as the one JSON object of {@code cordon version --json}. */
public final class VersionsJson {

    private VersionsJson() {}

    /** The object, on one line. */
    public static String of(Versions versions) {
        return JsonText.object(json -> {
            json.writeStringProperty("cordon", versions.cordon());
            json.writeStringProperty("java", versions.java());
            json.writeStringProperty("kernel", versions.kernel());
            json.writeStringProperty("libcordon", versions.libcordon());
            json.writeStringProperty("libseccomp", versions.libseccomp());
        });
    }
}
