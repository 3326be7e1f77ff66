package dev.cordon.json;

import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import java.util.List;
import java.util.function.Supplier;

/**
 * How a client wrote what the core has other names for, so that an error points at what was sent.
 *
 * @param command the field that has the command
 * @param bounds whether the isolation is an object of bounds
 * @param typed  whether the parameters of a tool are texts
 */
public record SentFields(String command, boolean bounds, boolean typed) {
    /** A body whose fields are called as in the core. */
    public static final SentFields PLAIN = new SentFields("argv", false, false);

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
        return new FieldError(pointer(error.pointer()), error.value(), error.rule(), error.remedy());
    }

    private String pointer(String field) {
        if (field.equals("/isolation") && bounds) {
            return "/isolation/min";
        }
        if (!command.equals("argv") && (field.equals("/argv") || field.startsWith("/argv/"))) {
            return command.equals("command")
                    ? "/command"
                    : "/env"; // code is not an argument: what is too long is the environment
        }
        return typed && field.startsWith("/parameters") ? "/typed" + field.substring("/parameters".length()) : field;
    }

    /** Errors that the API told, each at the place that the core and the command line know. */
    public static List<FieldError> received(List<FieldError> errors) {
        return errors.stream()
                .map(error -> new FieldError(
                        error.pointer().replaceFirst("^/typed/", "/parameters/"),
                        error.value(),
                        error.rule(),
                        error.remedy()))
                .toList();
    }
}
