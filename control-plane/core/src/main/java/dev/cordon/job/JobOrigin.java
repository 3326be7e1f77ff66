package dev.cordon.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whom a job is from.
 *
 * @param owner  on whose behalf it runs
 * @param labels the caller's own notes
 * @param trust  how far the caller vouches for the code
 */
public record JobOrigin(String owner, Map<String, String> labels, Trust trust) {
    /** Copies the labels, keeping their order. */
    public JobOrigin {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }
}
