package dev.cordon.interpreter;

import java.io.Serial;

/** The interpreter cannot be started. The message ends with what can be done. */
public final class InterpreterUnavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    InterpreterUnavailable(String message) {
        super(message);
    }
}
