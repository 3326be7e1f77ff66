package dev.cordon.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OutcomeTest {
    private static final Outcome.Ending KILLED = new Outcome.Signaled(9);

    /** DESIGN.md section 7, and the names of the HTTP API. */
    static Stream<Arguments> table() {
        return Stream.of(
                Arguments.of(new Outcome.Exited(0), 0, 200, "ok"),
                Arguments.of(new Outcome.Exited(3), 3, 200, "nonzero_exit"),
                Arguments.of(new Outcome.Signaled(11), 139, 200, "signaled"),
                Arguments.of(new Outcome.TimedOut(Outcome.Clock.WALL), 124, 200, "timed_out"),
                Arguments.of(new Outcome.TimedOut(Outcome.Clock.CPU), 124, 200, "timed_out"),
                Arguments.of(new Outcome.OutOfMemory(KILLED), 137, 200, "out_of_memory"),
                Arguments.of(new Outcome.OutputLimit(KILLED), 137, 200, "output_limit"),
                Arguments.of(new Outcome.DiskLimit(new Outcome.Exited(1)), 1, 200, "disk_limit"),
                Arguments.of(new Outcome.PidsLimit(new Outcome.Exited(0)), 0, 200, "pids_limit"),
                Arguments.of(new Outcome.Violated("ptrace"), 159, 200, "policy_violation"),
                Arguments.of(new Outcome.Cancelled(), 130, 200, "canceled"),
                Arguments.of(new Outcome.NotFound("x"), 127, 200, "not_found"),
                Arguments.of(new Outcome.NotExecutable("x", "EACCES"), 126, 200, "not_executable"),
                Arguments.of(new Outcome.Denied(List.of("no")), 122, 403, "denied"),
                Arguments.of(new Outcome.Invalid(List.of()), 121, 400, "invalid"),
                Arguments.of(new Outcome.HostUnsupported("c", "r"), 123, 503, "unsupported"),
                Arguments.of(new Outcome.SetupFailed("mounts", "EPERM", "d", "r"), 125, 500, "sandbox_error"));
    }

    @ParameterizedTest
    @MethodSource("table")
    void everyOutcomeHasOneExitCodeOneStatusAndOneName(Outcome outcome, int exitCode, int status, String label) {
        assertThat(outcome.exitCode()).isEqualTo(exitCode);
        assertThat(outcome.httpStatus()).isEqualTo(status);
        assertThat(outcome.label()).isEqualTo(label);
    }

    @Test
    void theTableIsComplete() {
        assertThat(table().map(row -> row.get()[0].getClass()).distinct()).hasSize(leaves(Outcome.class));
    }

    private static int leaves(Class<?> type) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        return permitted == null
                ? 1
                : Stream.of(permitted).distinct().mapToInt(OutcomeTest::leaves).sum();
    }

    @Test
    void theProgramsEndAndTheSandboxesFailureShareNoType() {
        assertThat(table().map(row -> row.get()[0])
                        .filter(outcome -> outcome instanceof Outcome.Ended
                                && (outcome instanceof Outcome.Failed || outcome instanceof Outcome.Refused)))
                .isEmpty();
    }

    @Test
    void endingsAreInRange() {
        assertThatThrownBy(() -> new Outcome.Exited(256)).hasMessageContaining("256");
        assertThatThrownBy(() -> new Outcome.Signaled(0)).hasMessageContaining("0");
    }
}
