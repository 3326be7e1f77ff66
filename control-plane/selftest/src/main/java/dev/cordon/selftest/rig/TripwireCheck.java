package dev.cordon.selftest.rig;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.result.Result;
import dev.cordon.result.Violation;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.read.Profiles;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The tripwires: an attempt that begins with the name of a call on the wire has to show up among the job's violations, by that name. */
public final class TripwireCheck {
    private TripwireCheck() {}

    /** The finding, and whether every call on the wire was heard: a refusal alone would not tell anybody. */
    public static ProbeFinding check(ProbeFinding finding, ProbeTranscript said, Result result) {
        Profile profile = Profiles.named("default");
        Set<String> expected = said.attempts().stream()
                .map(TripwireCheck::call)
                .filter(call -> isWired(profile, call))
                .collect(Collectors.toCollection(TreeSet::new));
        if (finding.verdict() == ProbeVerdict.ESCAPED || expected.isEmpty()) {
            return finding;
        }
        Set<String> missed = new TreeSet<>(expected);
        result.violations().stream().map(Violation::syscall).forEach(missed::remove);
        return missed.isEmpty()
                ? new ProbeFinding(
                        finding.verdict(), finding.detail() + ", " + expected.size() + " named by the tripwire")
                : ProbeFinding.escaped("the tripwire was silent about " + String.join(", ", missed));
    }

    private static String call(ProbeAttempt attempt) {
        int blank = attempt.name().indexOf(' ');
        return blank < 0 ? attempt.name() : attempt.name().substring(0, blank);
    }

    private static boolean isWired(Profile profile, String call) {
        OptionalInt number = SystemCalls.number(call);
        return number.isPresent() && profile.verdict(number.getAsInt()) instanceof FilterAction.Notify;
    }
}
