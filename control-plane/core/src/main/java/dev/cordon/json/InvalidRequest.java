package dev.cordon.json;

import dev.cordon.job.FieldError;
import java.util.List;

/** A body that a client has to correct; its errors are at the places that the client knows. */
public final class InvalidRequest extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<FieldError> errors;

    InvalidRequest(List<FieldError> errors) {
        super("a request with " + errors.size() + " errors", null, false, false);
        this.errors = List.copyOf(errors);
    }

    public List<FieldError> errors() {
        return errors;
    }
}
