package dev.cordon;

import dev.cordon.result.Outcome;

/** A sandbox was not opened, or did not do what it was asked to do as a whole. The outcome says why and what helps. */
public final class SandboxRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    SandboxRefused(Outcome outcome) {
        super(text(outcome));
        this.outcome = outcome;
    }

    static String text(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Denied denied -> "denied: " + String.join("; ", denied.reasons());
            case Outcome.Invalid invalid ->
                String.join(
                        "\n",
                        invalid.errors().stream().map(error -> error.message()).toList());
            case Outcome.HostUnsupported host -> "this host lacks " + host.check() + "; " + host.remedy();
            case Outcome.SetupFailed failed ->
                failed.stage() + " failed: " + failed.detail()
                        + (failed.error().isEmpty() ? "" : " (" + failed.error() + ")") + "; " + failed.remedy();
            case Outcome.Ended ended -> ended.label();
        };
    }

    /** Why. */
    public Outcome outcome() {
        return outcome;
    }
}
