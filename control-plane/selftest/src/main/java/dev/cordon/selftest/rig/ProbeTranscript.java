package dev.cordon.selftest.rig;

import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a probe said.
 *
 * @param attempts what it tried
 * @param failure  why it could not finish; empty when it did
 */
public record ProbeTranscript(List<ProbeAttempt> attempts, Optional<String> failure) {
    private static final int DENIED = 0;
    private static final int ESCAPED = 10;
    private static final int UNTRIED = 20;

    public ProbeTranscript {
        attempts = List.copyOf(attempts);
    }

    /** A probe's output and exit code. */
    static ProbeTranscript of(String output, int code) {
        List<ProbeAttempt> attempts = output.lines()
                .flatMap(line -> ProbeAttempt.parse(line).stream())
                .toList();
        boolean finished = code == DENIED || code == ESCAPED || code == UNTRIED;
        return new ProbeTranscript(
                attempts,
                finished && !attempts.isEmpty()
                        ? Optional.empty()
                        : Optional.of("it ended with " + code + " after " + attempts.size() + " attempts"));
    }

    /** A job that was a probe. */
    public static ProbeTranscript of(Result result) {
        if (result.outcome() instanceof Outcome.Exited exited) {
            return of(result.stdoutText(), exited.code());
        }
        List<ProbeAttempt> attempts = of(result.stdoutText(), DENIED).attempts();
        return new ProbeTranscript(attempts, Optional.of("the job ended with " + result.outcome()));
    }

    /** This transcript and another one. */
    public ProbeTranscript and(ProbeTranscript more) {
        List<ProbeAttempt> both = new ArrayList<>(attempts);
        both.addAll(more.attempts());
        return new ProbeTranscript(both, failure.or(more::failure));
    }
}
