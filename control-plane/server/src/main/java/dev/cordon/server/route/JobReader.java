package dev.cordon.server.route;

import dev.cordon.job.FieldError;
import dev.cordon.job.Language;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.InvalidText;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.JobRequest;
import dev.cordon.json.RequestFields;
import dev.cordon.server.access.Caller;
import dev.cordon.server.access.Role;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import java.util.List;
import java.util.Map;

/**
 * Reads jobs, as far as this service takes them.
 *
 * @param mostOutput it refuses to keep more output than that
 */
record JobReader(long mostOutput) {
    /** A job that this caller may submit. */
    JobRequest read(RequestFields fields, Caller caller) {
        JobRequest read = JobRequest.read(fields, JobReader::language, this::checkOutput);
        checkTrust(read.trust(), caller);
        return read;
    }

    private static Language language(String name) {
        try {
            return Language.parse(name);
        } catch (IllegalArgumentException e) {
            throw RequestProblem.of(
                    ProblemCode.UNKNOWN_LANGUAGE,
                    List.of(new FieldError(
                            "/language", name, "is not a known language", "one of those that GET /v1/runtimes lists")));
        }
    }

    private void checkOutput(Map<Limit, String> asked) {
        String output = asked.getOrDefault(Limit.OUTPUT, "0");
        if (bytes(output) > mostOutput) {
            throw RequestProblem.of(
                    ProblemCode.LIMIT_ABOVE_MAXIMUM,
                    List.of(new FieldError(
                            Limit.OUTPUT.pointer(),
                            output,
                            "is above this service's " + ByteSize.bytes(mostOutput),
                            "ask for less, or write to a file")));
        }
    }

    /** 0 for what is not a size, of which the check of the job tells. */
    private static long bytes(String text) {
        try {
            return ByteSize.parse(text).bytes();
        } catch (InvalidText e) {
            return 0;
        }
    }

    /** Who vouches for code must be somebody whom the operator trusts. */
    static void checkTrust(Trust trust, Caller caller) {
        if (trust == Trust.TRUSTED && caller.role() != Role.ADMIN) {
            throw RequestProblem.of(
                    ProblemCode.FORBIDDEN,
                    "trust: trusted needs the role admin, the caller has "
                            + caller.role().label() + "; leave it out");
        }
    }
}
