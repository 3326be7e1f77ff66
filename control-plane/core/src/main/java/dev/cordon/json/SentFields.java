package dev.cordon.json;

import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.limit.Limit;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How a client wrote what the core has other names for, so that an error points at what was sent.
 *
 * @param command the field that has the command
 * @param bounds whether the isolation is an object of bounds
 * @param exact  the limits that were given by their name in bytes
 * @param typed  whether the parameters of a tool are texts
 */
public record SentFields(String command, boolean bounds, Set<String> exact, boolean typed) {
    /** A body whose fields are called as in the core. */
    public static final SentFields PLAIN = new SentFields("argv", false, Set.of(), false);

    /** Copies the set. */
    public SentFields {
        exact = Set.copyOf(exact);
    }

    /**
     * What is checked by the core.
     *
     * @throws InvalidRequest with its errors, each at the place that the client knows
     */
    public <T> T checked(Supplier<T> check) {
        try {
            return check.get();
        } catch (InvalidJob e) {
            throw new InvalidRequest(named(e.errors()));
        }
    }

    /** Errors of the core, each at the place that the client knows. */
    public List<FieldError> named(List<FieldError> errors) {
        return errors.stream().map(this::named).toList();
    }

    private FieldError named(FieldError error) {
        for (Limit limit : Limit.values()) {
            if (error.field().equals(limit.pointer())) {
                return LimitJson.sent(error, limit, exact);
            }
        }
        return new FieldError(pointer(error.field()), error.value(), error.limit(), error.remedy());
    }

    private String pointer(String field) {
        if (field.equals("/isolation") && bounds) {
            return "/isolation/min";
        }
        if (!command.equals("argv") && (field.equals("/argv") || field.startsWith("/argv/"))) {
            return command.equals("command")
                    ? "/command"
                    : "/env"; // code is no argument: what is too long is the environment
        }
        return typed && field.startsWith("/parameters") ? "/typed" + field.substring("/parameters".length()) : field;
    }

    /** Errors that the API told, each at the place that the core and the command line know. */
    public static List<FieldError> received(List<FieldError> errors) {
        return errors.stream()
                .map(error -> new FieldError(
                        LimitJson.pointer(error.field()).replaceFirst("^/typed/", "/parameters/"),
                        error.value(),
                        error.limit(),
                        error.remedy()))
                .toList();
    }
}
