package dev.cordon.cli.client;

import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.job.FieldError;
import dev.cordon.json.FieldErrorJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An answer of the service that is a problem (RFC 9457). */
public final class ServiceRefusal extends CommandFailure {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final String detail;

    @SuppressWarnings("serial") // records of strings
    private final List<FieldError> errors;

    private final @Nullable Duration retryAfter;

    ServiceRefusal(String where, int status, JsonNode problem, @Nullable Duration retryAfter) {
        super(FAILED, lines(where, status, problem));
        this.name = problem.path("code").asString("");
        this.detail = detail(status, problem);
        this.retryAfter = retryAfter;
        this.errors = List.copyOf(FieldErrorJson.read(problem.path("errors")));
    }

    private static List<String> lines(String where, int status, JsonNode problem) {
        List<String> lines = new ArrayList<>();
        lines.add("the service at " + where + " refused: " + detail(status, problem));
        if (problem.path("code").asString("").equals("unauthenticated")) {
            lines.add("CORDON_TOKEN or CORDON_TOKEN_FILE holds the token; cordon token create makes the first one"
                    + " without CORDON_HOST, on the service's host");
        }
        return lines;
    }

    private static String detail(int status, JsonNode problem) {
        return problem.path("detail").asString("status " + status);
    }

    /** Whether it is the problem of this stable name. */
    public boolean is(String other) {
        return name.equals(other);
    }

    /** The stable name of the problem. */
    public String name() {
        return name;
    }

    /** What happened, with the remedy. */
    public String detail() {
        return detail;
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
