package dev.cordon.audit;

import dev.cordon.audit.write.JobFingerprint;
import dev.cordon.job.JobId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the records of one job say about it. Contents appear as hashes alone: a log must not be a second place where secrets are.
 *
 * @param job     the run
 * @param owner   on whose behalf; empty when the job was not understood
 * @param tool    the registered tool that was called; null for a job that somebody wrote
 * @param labels  the caller's own notes, which the first record has
 * @param program the language, or the program's name without its arguments
 * @param code    SHA-256 of the code, or of the program and its arguments, each ended by a NUL
 * @param inputs  SHA-256 of everything else that the job was given, see {@link JobFingerprint}; empty when it was given nothing
 * @param plan    SHA-256 of the effective plan as JSON; empty before there is one
 */
public record RecordSubject(
        JobId job,
        String owner,
        @Nullable String tool,
        Map<String, String> labels,
        String program,
        String code,
        String inputs,
        String plan) {
    /** Copies the labels, keeping their order. */
    public RecordSubject {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** A job that was not understood, or of which no more is left: what is known without it. */
    public static RecordSubject unknown(JobId job, String owner, @Nullable String tool) {
        return new RecordSubject(job, owner, tool, Map.of(), "", "", "", "");
    }

    /** This job with the hash of its plan. */
    public RecordSubject planned(String sha256) {
        return new RecordSubject(job, owner, tool, labels, program, code, inputs, sha256);
    }
}
