package dev.cordon.config;

import java.util.List;

/** Invalid settings. Carries every error at once, each with the key, its source and the remedy. */
public final class InvalidConfig extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // a list of strings
    private final List<String> errors;

    InvalidConfig(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
    }

    /** What is wrong, one line each. */
    public List<String> errors() {
        return errors;
    }
}
