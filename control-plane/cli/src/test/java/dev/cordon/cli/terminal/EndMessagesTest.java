package dev.cordon.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.FieldError;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EndMessagesTest {

    @Test
    void aProgramThatExitsSaysItItself() {
        assertThat(EndMessages.of(ended(new Outcome.Exited(3)))).isEmpty();
    }

    @Test
    void everyOtherEndIsNamedWithTheOptionThatHelps() {
        assertThat(EndMessages.of(ended(new Outcome.Signaled(11)))).containsExactly("ended by SIGSEGV");
        assertThat(EndMessages.of(ended(new Outcome.TimedOut(Outcome.Clock.WALL))))
                .containsExactly("timed out; --timeout raises the limit");
        assertThat(EndMessages.of(ended(new Outcome.TimedOut(Outcome.Clock.CPU))))
                .containsExactly("out of CPU time; --cpu-time raises the limit");
        assertThat(EndMessages.of(ended(new Outcome.OutOfMemory(new Outcome.Signaled(9)))))
                .containsExactly("out of memory; --memory raises the limit");
        assertThat(EndMessages.of(ended(new Outcome.NotFound("nosuch"))))
                .containsExactly("nosuch: not found in the jail");
    }

    @Test
    void theSandboxsOwnFailureNamesStageErrorAndRemedy() {
        assertThat(EndMessages.of(ended(new Outcome.SetupFailed("mounts", "EPERM", "proc on /proc", "unmask /proc"))))
                .containsExactly("the sandbox could not be made: stage mounts, EPERM (proc on /proc); unmask /proc");
    }

    @Test
    void everyFieldErrorHasALine() {
        assertThat(EndMessages.of(ended(new Outcome.Invalid(List.of(
                        new FieldError("/limits/memory", "-1", "is not a size", "give 256M"),
                        new FieldError("/workdir", "x", "is not absolute", "give /workspace"))))))
                .containsExactly(
                        "invalid job: /limits/memory: '-1' is not a size; give 256M",
                        "invalid job: /workdir: 'x' is not absolute; give /workspace");
    }

    @Test
    void violationsCutsAndWeaknessesAreToldApart() {
        Result result = new Result(
                new JobId("job_1"),
                new Outcome.Exited(0),
                new Output(new byte[3], 5),
                Output.empty(),
                Usage.none(),
                new Result.Applied(
                        Isolation.JAIL, null, List.of(), List.of("landlock"), List.of(Limit.MEMORY, Limit.PIDS)),
                new Result.Times(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH),
                List.of(new Violation("ptrace", 7, "evil", 2, false)),
                List.of(),
                null,
                Result.Collected.NONE);
        assertThat(EndMessages.of(result))
                .containsExactly(
                        "refused system call ptrace of evil, 2 times",
                        "stdout was cut after 3 of 5 bytes; --output raises the limit");
        assertThat(EndMessages.weaknesses(result, Set.of(), false)).isEmpty();
        assertThat(EndMessages.weaknesses(result, Set.of(Limit.PIDS, Limit.DISK), false))
                .singleElement()
                .asString()
                .startsWith("warning: this host does not hold these limits for the whole job: pids;");
        assertThat(EndMessages.weaknesses(result, Set.of(), true))
                .hasSize(2)
                .anyMatch(message -> message.contains("landlock"))
                .anyMatch(message -> message.contains("memory, pids"));
    }

    private static Result ended(Outcome outcome) {
        return Result.notStarted(new JobId("job_1"), outcome, List.of(), Instant.EPOCH, Instant.EPOCH);
    }
}
