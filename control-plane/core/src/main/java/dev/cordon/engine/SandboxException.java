package dev.cordon.engine;

import dev.cordon.api.Outcome;

/** The sandbox could not be made. Never about the program. */
public final class SandboxException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Outcome.Failed outcome;

    /** A failure with its outcome. */
    public SandboxException(Outcome.Failed outcome) {
        super(outcome.toString());
        this.outcome = outcome;
    }

    /** What failed, with the remedy. */
    public Outcome.Failed outcome() {
        return outcome;
    }
}
