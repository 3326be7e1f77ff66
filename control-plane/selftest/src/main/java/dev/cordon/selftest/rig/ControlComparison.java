package dev.cordon.selftest.rig;

import dev.cordon.selftest.rig.ProbeAttempt.Effect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds what happened inside against the control. An attempt counts as refused only if the same attempt comes through outside; one that is
 * refused outside as well needs a listed reason, which the probe gives. A probe none of whose attempts counts is not applicable; a control
 * that fails without a reason makes the whole probe worthless, and that is no better than an escape.
 */
public final class ControlComparison {
    private static final String WORTHLESS = "proves nothing: ";
    private static final int REASONS = 3;

    private final Map<String, ProbeAttempt> control = new HashMap<>();
    private final Set<String> reasons = new LinkedHashSet<>();
    private int refused;
    private int uncontrolled;

    private ControlComparison() {}

    /** The finding about a probe. */
    public static ProbeFinding of(ProbeTranscript control, ProbeTranscript inside) {
        return new ControlComparison().compare(control, inside);
    }

    /** A probe that shows nothing. */
    public static ProbeFinding worthless(String why) {
        return new ProbeFinding(ProbeVerdict.ESCAPED, WORTHLESS + why);
    }

    private ProbeFinding compare(ProbeTranscript outside, ProbeTranscript inside) {
        for (ProbeAttempt attempt : inside.attempts()) {
            if (attempt.effect() == Effect.ESCAPED) {
                return new ProbeFinding(ProbeVerdict.ESCAPED, attempt.describe());
            }
        }
        if (inside.failure().isPresent()) {
            return worthless("inside, " + inside.failure().get());
        }
        if (outside.failure().isPresent()) {
            return worthless("outside, " + outside.failure().get());
        }
        for (ProbeAttempt attempt : outside.attempts()) {
            if (attempt.effect() == Effect.DENIED) {
                return worthless("refused outside as well: " + attempt.describe());
            }
            control.merge(attempt.name(), attempt, (a, b) -> a.effect() == Effect.ESCAPED ? a : b);
        }
        for (ProbeAttempt attempt : inside.attempts()) {
            ProbeAttempt same = control.get(attempt.name());
            if (same == null) {
                return worthless("no control for " + attempt.name());
            }
            if (attempt.effect() == Effect.UNTRIED && same.effect() == Effect.ESCAPED) {
                return worthless("could not be tried inside: " + attempt.describe());
            }
            count(attempt, same);
        }
        return finding();
    }

    private void count(ProbeAttempt attempt, ProbeAttempt same) {
        if (attempt.effect() == Effect.DENIED && same.effect() == Effect.ESCAPED) {
            refused++;
        } else {
            uncontrolled++;
            reasons.add(same.text());
        }
    }

    private ProbeFinding finding() {
        List<String> parts = new ArrayList<>();
        if (refused > 0) {
            parts.add(refused + (refused == 1 ? " attempt refused" : " attempts refused"));
        }
        if (uncontrolled > 0) {
            List<String> few = reasons.stream().limit(REASONS).toList();
            parts.add(uncontrolled + " without a control here (" + String.join("; ", few) + ")");
        }
        return new ProbeFinding(
                refused > 0 ? ProbeVerdict.DENIED : ProbeVerdict.NOT_APPLICABLE, String.join(", ", parts));
    }
}
