package dev.cordon.audit;

import dev.cordon.api.JobId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What all records of one job say about it. Contents appear as hashes alone: a log must not be a second place where secrets are.
 *
 * @param job     the run
 * @param owner   on whose behalf; empty when the job was not understood
 * @param labels  the caller's own notes
 * @param program the language, or the program's name without its arguments
 * @param code    SHA-256 of the code, or of the program and its arguments, each ended by a NUL
 * @param inputs  SHA-256 of everything else that the job was given, see {@link Fingerprint}; empty when it was given nothing
 * @param plan    SHA-256 of the effective plan as JSON; empty before there is one
 */
public record Subject(
        JobId job, String owner, Map<String, String> labels, String program, String code, String inputs, String plan) {
    /** Copies the labels, keeping their order. */
    public Subject {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** A job that was not understood: nothing but its id is known. */
    public static Subject unknown(JobId job) {
        return new Subject(job, "", Map.of(), "", "", "", "");
    }

    /** The same job with its plan. */
    public Subject planned(String sha256) {
        return new Subject(job, owner, labels, program, code, inputs, sha256);
    }
}
