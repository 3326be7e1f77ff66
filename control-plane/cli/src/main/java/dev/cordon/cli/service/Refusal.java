package dev.cordon.cli.service;

import dev.cordon.api.FieldError;
import dev.cordon.json.FieldErrorJson;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An answer of the service that is a problem (RFC 9457). */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final int status;

    @SuppressWarnings("serial") // records of strings
    private final List<FieldError> errors;

    private final @Nullable Duration retryAfter;

    Refusal(int status, JsonNode problem, @Nullable Duration retryAfter) {
        super(problem.path("detail").asString("status " + status), null, false, false);
        this.status = status;
        this.code = problem.path("code").asString("");
        this.retryAfter = retryAfter;
        this.errors = List.copyOf(FieldErrorJson.read(problem.path("errors")));
    }

    /** The stable name of the problem. */
    public String code() {
        return code;
    }

    /** The status of the answer. */
    public int status() {
        return status;
    }

    /** What happened, with the remedy. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** The fields that are wrong. */
    public List<FieldError> errors() {
        return errors;
    }

    /** When to try again; null when nothing was said. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
