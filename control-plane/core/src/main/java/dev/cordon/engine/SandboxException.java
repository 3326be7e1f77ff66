package dev.cordon.engine;

import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.result.Outcome;

/** The sandbox could not be made. Never about the program. */
public final class SandboxException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Outcome.Failed outcome;

    /** A failure with its outcome. */
    public SandboxException(Outcome.Failed outcome) {
        super(text(outcome));
        this.outcome = outcome;
    }

    /** A failure to start something for it, for which the host has no room now. */
    public static SandboxException notStarted(ErrnoException problem) {
        return new SandboxException(new Outcome.SetupFailed(
                "start",
                problem.errnoName(),
                problem.call(),
                "raise the service's limits (ulimit -n, -u) or lower its load"));
    }

    private static String text(Outcome.Failed outcome) {
        return switch (outcome) {
            case Outcome.HostUnsupported host -> host.check() + "; " + host.remedy();
            case Outcome.SetupFailed failed ->
                (failed.stage() + " " + failed.error()).strip() + ": " + failed.detail() + "; " + failed.remedy();
            default -> outcome.toString();
        };
    }

    /** What failed, with the remedy. */
    public Outcome.Failed outcome() {
        return outcome;
    }
}
