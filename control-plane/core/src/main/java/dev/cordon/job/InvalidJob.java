package dev.cordon.job;

import java.util.List;
import java.util.stream.Collectors;

/** A job that cannot be understood as asked. Carries every field error at once; nothing has been started. */
public final class InvalidJob extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // FieldError is a record of strings; the exception is never serialised by Cordon itself
    private final List<FieldError> errors;

    /** An invalid job with at least one error. */
    public InvalidJob(List<FieldError> errors) {
        super(errors.stream().map(FieldError::message).collect(Collectors.joining("\n")));
        if (errors.isEmpty()) {
            throw new IllegalArgumentException("an invalid job has at least one field error");
        }
        this.errors = List.copyOf(errors);
    }

    /** What is wrong, in the order of the fields. */
    public List<FieldError> errors() {
        return errors;
    }
}
