package dev.cordon.server.problem;

import dev.cordon.job.FieldError;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that gets an error answer (RFC 9457). Thrown by whatever notices, written in one place. */
public final class RequestProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How many fields an answer names. */
    private static final int MOST_ERRORS = 100;

    private final ProblemCode code;

    @SuppressWarnings("serial") // records of strings
    private final List<FieldError> errors;

    private final @Nullable Duration retryAfter;
    private final @Nullable String jobId;

    private RequestProblem(
            ProblemCode code,
            String detail,
            List<FieldError> errors,
            @Nullable Duration retryAfter,
            @Nullable String jobId) {
        super(detail, null, false, false);
        this.code = code;
        this.errors = List.copyOf(errors);
        this.retryAfter = retryAfter;
        this.jobId = jobId;
    }

    /** A refusal in one sentence, which names the remedy. */
    public static RequestProblem of(ProblemCode code, String detail) {
        return new RequestProblem(code, detail, List.of(), null, null);
    }

    /** A refusal that names fields. */
    public static RequestProblem of(ProblemCode code, List<FieldError> errors) {
        String detail = errors.isEmpty() ? code.title() : errors.getFirst().message();
        return new RequestProblem(
                code,
                errors.size() > 1 ? detail + " (and " + (errors.size() - 1) + " more)" : detail,
                errors.subList(0, Math.min(errors.size(), MOST_ERRORS)),
                null,
                null);
    }

    /** This problem, to be tried again after a while. */
    public RequestProblem retryAfter(Duration time) {
        return new RequestProblem(code, detail(), errors, time, jobId);
    }

    /** This problem, about a job. */
    public RequestProblem about(String job) {
        return new RequestProblem(code, detail(), errors, retryAfter, job);
    }

    /** Which one. */
    public ProblemCode code() {
        return code;
    }

    /** What happened this time. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** The fields that are wrong. */
    public List<FieldError> errors() {
        return errors;
    }

    /** When to try again. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** The job that it is about. */
    public @Nullable String jobId() {
        return jobId;
    }
}
