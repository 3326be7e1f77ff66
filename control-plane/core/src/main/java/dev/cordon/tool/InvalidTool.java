package dev.cordon.tool;

import java.util.List;

/** A tool that cannot be registered. Carries every error at once, each with its place and the remedy. */
public final class InvalidTool extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // a list of strings
    private final List<String> errors;

    /** With all errors, one line each. */
    public InvalidTool(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
    }

    /** What is wrong, one line each. */
    public List<String> errors() {
        return errors;
    }
}
