package dev.cordon.policy.file;

import java.util.List;

/** A policy that is invalid. Carries every error at once, each with its place and the remedy. */
public final class InvalidPolicy extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // a list of strings
    private final List<String> errors;

    InvalidPolicy(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
    }

    /** What is wrong, one line each. */
    public List<String> errors() {
        return errors;
    }
}
