package dev.cordon.selftest.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What counts as proof: a suite that can't fail proves nothing. */
final class ControlComparisonTest {
    @Test
    void whatComesThroughOutsideAndIsRefusedInsideIsDenied() {
        ProbeFinding finding = ControlComparison.of(said(10, "escaped"), said(0, "denied"));
        assertThat(finding).isEqualTo(ProbeFinding.denied("1 attempt refused"));
    }

    @Test
    void whatComesThroughInsideEscaped() {
        ProbeFinding finding =
                ControlComparison.of(said(10, "escaped", "escaped"), said(10, "denied", "escaped: it is out"));
        assertThat(finding).isEqualTo(ProbeFinding.escaped("attempt 1: it is out"));
    }

    @Test
    void anEscapeCountsEvenWhereTheControlFailed() {
        assertThat(ControlComparison.of(said(0, "denied"), said(10, "escaped")).verdict())
                .isEqualTo(ProbeVerdict.ESCAPED);
    }

    @Test
    void aControlThatIsRefusedWithoutAReasonProvesNothing() {
        ProbeFinding finding = ControlComparison.of(said(0, "denied"), said(0, "denied"));
        assertThat(finding.verdict()).isEqualTo(ProbeVerdict.ESCAPED);
        assertThat(finding.detail()).startsWith("proves nothing: refused outside as well: attempt 0");
    }

    @Test
    void aControlWithAListedReasonMakesTheProbeNotApplicable() {
        ProbeFinding finding = ControlComparison.of(said(20, "untried: needs root"), said(0, "denied"));
        assertThat(finding).isEqualTo(ProbeFinding.notApplicable("1 without a control here (needs root)"));
    }

    @Test
    void attemptsWithoutAControlAreCountedApart() {
        ProbeFinding finding =
                ControlComparison.of(said(10, "escaped", "untried: needs root"), said(0, "denied", "denied"));
        assertThat(finding).isEqualTo(ProbeFinding.denied("1 attempt refused, 1 without a control here (needs root)"));
    }

    @Test
    void whatCouldNotBeTriedInsideProvesNothing() {
        ProbeFinding finding = ControlComparison.of(said(10, "escaped"), said(20, "untried: no fork"));
        assertThat(finding.verdict()).isEqualTo(ProbeVerdict.ESCAPED);
        assertThat(finding.detail()).startsWith("proves nothing: could not be tried inside");
    }

    @Test
    void anAttemptThatTheControlDidNotMakeProvesNothing() {
        ProbeFinding finding = ControlComparison.of(said(10, "escaped"), said(0, "denied", "denied"));
        assertThat(finding.detail()).isEqualTo("proves nothing: no control for attempt 1");
    }

    @Test
    void aProbeThatDiesProvesNothing() {
        ProbeFinding finding = ControlComparison.of(said(10, "escaped"), ProbeTranscript.of("", 139));
        assertThat(finding.verdict()).isEqualTo(ProbeVerdict.ESCAPED);
        assertThat(finding.detail()).isEqualTo("proves nothing: inside, it ended with 139 after 0 attempts");
    }

    @Test
    void linesThatAreNoAttemptsAreLeftOut() {
        ProbeTranscript transcript = ProbeTranscript.of("""
            ready
            {"id":"A-01"}
            {"id":"A-01","attempt":"x","errno":"EPERM","effect":"denied"}
            """, 0);
        assertThat(transcript.attempts())
                .containsExactly(new ProbeAttempt("x", "EPERM", ProbeAttempt.Effect.DENIED, ""));
    }

    /** A transcript whose attempts are called by their position. */
    private static ProbeTranscript said(int code, String... effects) {
        int[] position = {0};
        return ProbeTranscript.of(
                Arrays.stream(effects)
                        .map(effect -> "{\"id\":\"Z-99\",\"attempt\":\"attempt %d\",\"errno\":null,\"effect\":\"%s\"}"
                                .formatted(position[0]++, effect))
                        .collect(Collectors.joining("\n")),
                code);
    }
}
