package dev.cordon.server.job;

import dev.cordon.job.JobId;
import dev.cordon.json.SentFields;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that a client submitted and that was understood.
 *
 * @param id      its name
 * @param owner   whose it is
 * @param tool    the registered tool that was called; null for a job that the client wrote
 * @param labels  the caller's notes
 * @param sandbox the sandbox it runs in; null for one of its own
 * @param fed     whether its standard input comes in later requests
 * @param terminal whether somebody sits at a terminal of its
 * @param launch  starts it
 * @param sent    how its client wrote it
 * @param output  bytes of each of its streams that are kept
 */
public record JobSubmission(
        JobId id,
        String owner,
        @Nullable String tool,
        Map<String, String> labels,
        @Nullable String sandbox,
        boolean fed,
        boolean terminal,
        JobLaunch launch,
        SentFields sent,
        long output) {
    /** Copies the map. */
    public JobSubmission {
        labels = Map.copyOf(labels);
    }

    /** This submission without the job itself, which holds the code and the files. */
    JobSubmission forgotten() {
        return new JobSubmission(
                id,
                owner,
                tool,
                labels,
                sandbox,
                fed,
                terminal,
                (_, _) -> {
                    throw new IllegalStateException("the job " + id + " is over");
                },
                sent,
                output);
    }
}
