package dev.cordon.server.config;

import java.util.List;

/** The service does not start. Carries every reason at once, each with its remedy. */
public final class ServiceRefused extends Exception {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // a list of strings
    private final List<String> errors;

    /** With at least one reason. */
    public ServiceRefused(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
    }

    /** With one reason. */
    public ServiceRefused(String error) {
        this(List.of(error));
    }

    /** Why, one line each. */
    public List<String> errors() {
        return errors;
    }
}
