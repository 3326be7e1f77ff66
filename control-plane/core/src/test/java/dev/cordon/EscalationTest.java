package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.verify.AuditReader;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.OnViolation;
import dev.cordon.job.Stdin;
import dev.cordon.plan.Plan;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.result.Acceleration;
import dev.cordon.result.Escalation;
import dev.cordon.result.JobAttempt;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a suspicious job where the rule says escalate; the engine is a fake. */
class EscalationTest {
    private static final String ESCALATE = """
        version = 1
        [[rule]]
        name = "watched"
        when = { owner = "watched" }
        escalate = true
        """;

    @TempDir
    private Path folder;

    private final FakeBackend backend = new FakeBackend();
    private final List<String> heard = new ArrayList<>();
    private final OutputListener listener = new OutputListener() {
        @Override
        public void output(Source source, byte[] bytes) {
            heard.add(new String(bytes, StandardCharsets.UTF_8));
        }

        @Override
        public void escalated(String reason) {
            heard.add("escalated: " + reason);
        }
    };
    private Cordon cordon;

    @BeforeEach
    void open() throws IOException {
        cordon = PolicedCordon.onFake(folder, ESCALATE, backend);
        TreeMap<String, HostEntry> root = new TreeMap<>();
        List.of("/usr", "/bin", "/lib", "/etc").forEach(path -> root.put(path, new HostEntry.Directory()));
        backend.machines = Optional.of(new MachineFacts(
                "base", ImageRoot.ofMachine(root, ImageSettings.NONE), Acceleration.EMULATED, "no kvm", true, 2));
        backend.endsWith = Optional.of(new Outcome.Violated("ptrace"));
        backend.violations = List.of(new Violation("ptrace", 7, "strace", 1, true));
        backend.usage = new Usage(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ZERO, null, null, null, null);
    }

    @AfterEach
    void close() {
        cordon.close();
    }

    private Result run(Job job) {
        try (RunningJob running = cordon.start(job, listener)) {
            return running.result().join();
        }
    }

    private static Job watched() {
        return Job.argv("strace", "true").owner("watched").timeout(Duration.ofSeconds(10));
    }

    private List<String> kinds() throws IOException {
        return new AuditReader(folder.resolve("audit"))
                .last(Integer.MAX_VALUE, record -> true).stream()
                        .map(record -> record.text("kind"))
                        .toList();
    }

    @Test
    void isRunAgainInAMachineOnceAndTheResultHasBothAttempts() {
        Result result = run(watched().stdin("input"));
        assertThat(result.succeeded()).isTrue();
        assertThat(result.applied().isolation()).isEqualTo(Isolation.VM);
        Escalation escalation = Objects.requireNonNull(result.escalation());
        assertThat(escalation.cause()).isEqualTo(Escalation.Cause.TRIPWIRE);
        assertThat(escalation.reason()).isEqualTo("system call ptrace by strace");
        assertThat(escalation.attempts().stream().map(JobAttempt::isolation))
                .containsExactly(Isolation.JAIL, Isolation.VM);
        assertThat(escalation.attempts().getFirst().outcome()).isEqualTo(new Outcome.Violated("ptrace"));
        assertThat(result.usage().wall()).as("of both").isEqualTo(Duration.ofSeconds(4));
        assertThat(result.violations()).hasSize(1);
        assertThat(backend.started).hasSize(2);
        assertThat(heard).containsExactly("x", "escalated: system call ptrace by strace", "x");
    }

    @Test
    void theSecondAttemptHasTheSameInputsTheRestOfTheTimeAndTheJobsOwnReaction() {
        run(watched().stdin("input").put("data", new byte[] {1}));
        Plan first = backend.started.getFirst();
        Plan second = backend.started.getLast();
        assertThat(first.isolation()).isEqualTo(Isolation.JAIL);
        assertThat(second.isolation()).isEqualTo(Isolation.VM);
        assertThat(second.exec().command().argv())
                .isEqualTo(first.exec().command().argv());
        assertThat(second.exec().command().stdin()).isEqualTo(new Stdin.Bytes(new byte[] {'i', 'n', 'p', 'u', 't'}));
        assertThat(second.exec().files()).hasSameSizeAs(first.exec().files());
        assertThat(second.exec().command().timeout()).isEqualTo(Duration.ofSeconds(8));
        assertThat(second.exec().command().cpuTime()).isEqualTo(Duration.ofSeconds(29));
        assertThat(first.exec().command().onViolation()).isEqualTo(OnViolation.KILL);
        assertThat(second.exec().command().onViolation()).isEqualTo(OnViolation.REFUSE);
    }

    @Test
    void theLogHasTheEscalationBeforeTheSecondStart() throws IOException {
        run(watched());
        assertThat(kinds()).containsExactly("decision", "start", "violation", "escalation", "start", "end");
    }

    @Test
    void aSecondViolationEndsIt() {
        backend.inMachine = new Outcome.Violated("ptrace");
        Result result = run(watched().onViolation(OnViolation.KILL));
        assertThat(result.outcome()).isEqualTo(new Outcome.Violated("ptrace"));
        assertThat(backend.started).hasSize(2);
        assertThat(Objects.requireNonNull(result.escalation()).happened()).isTrue();
    }

    @Test
    void aDeathBySigsysEscalatesToo() {
        for (Outcome end : List.of(new Outcome.Signaled(31), new Outcome.Exited(159))) {
            backend.endsWith = Optional.of(end);
            assertThat(Objects.requireNonNull(run(watched()).escalation()).cause())
                    .isEqualTo(Escalation.Cause.SIGSYS);
        }
    }

    @Test
    void aBurstAndAnAttemptToReachTheNetworkDoToo() {
        backend.violations = List.of(new Violation("chroot", 7, "evil", 1, true));
        backend.endsWith = Optional.of(new Outcome.Violated("chroot", Outcome.Breach.BURST));
        Escalation burst = Objects.requireNonNull(run(watched()).escalation());
        assertThat(burst.cause()).isEqualTo(Escalation.Cause.BURST);
        assertThat(burst.reason()).isEqualTo("burst of refused system calls, the last of them chroot by evil");
        assertThat(burst.happened()).isTrue();
        backend.endsWith = Optional.of(new Outcome.Violated(Violation.NETWORK, Outcome.Breach.NETWORK));
        Escalation network = Objects.requireNonNull(run(watched()).escalation());
        assertThat(network.cause()).isEqualTo(Escalation.Cause.NETWORK);
        assertThat(network.happened()).isTrue();
    }

    @Test
    void onlyTheFirstAttemptIsWatched() {
        run(watched());
        assertThat(backend.started.getFirst().sandbox().tier())
                .isInstanceOfSatisfying(
                        Tier.Jail.class, jail -> assertThat(jail.burst()).isEqualTo(50));
        assertThat(backend.started.getLast().sandbox().tier())
                .isInstanceOfSatisfying(
                        Tier.Machine.class,
                        vm -> assertThat(vm.inner().watched()).isFalse());
        run(watched().owner("somebody"));
        assertThat(backend.started.getLast().sandbox().tier())
                .isInstanceOfSatisfying(
                        Tier.Jail.class, jail -> assertThat(jail.watched()).isFalse());
    }

    @Test
    void withoutTheRuleItIsAViolation() {
        Result result = run(watched().owner("somebody"));
        assertThat(result.outcome()).isEqualTo(new Outcome.Violated("ptrace"));
        assertThat(result.escalation()).isNull();
        assertThat(backend.started).hasSize(1);
    }

    @Test
    void anOrdinaryEndIsNone() {
        backend.endsWith = Optional.of(new Outcome.Exited(1));
        assertThat(run(watched()).escalation()).isNull();
        assertThat(backend.started).hasSize(1);
    }

    @Test
    void inputsThatCannotBeGivenAgainAreToldAndTheViolationStands() throws IOException {
        refused(watched().stdin(Stdin.fed()), "fed by the caller");
        refused(watched().stdin(new ByteArrayInputStream(new byte[1])), "read only once");
        refused(watched().streaming(), "stream");
        refused(watched().terminal(24, 80), "terminal");
        refused(watched().readOnly(Path.of("/usr/share"), "/in"), "shares no directory");
        assertThat(kinds()).doesNotContain("escalation");
    }

    @Test
    void whatTheCallerForbidsIsNotDoneButTheJobIsStopped() {
        refused(watched().escalate(false), "the job forbids a second attempt");
        refused(watched().isolationAtMost(Isolation.JAIL), "the highest level that the job allows is jail");
        assertThat(backend.started.getFirst().exec().command().onViolation()).isEqualTo(OnViolation.KILL);
        assertThat(Objects.requireNonNull(
                                run(watched().isolationAtMost(Isolation.VM)).escalation())
                        .happened())
                .isTrue();
    }

    @Test
    void noTimeLeftIsTold() {
        refused(watched().timeout(Duration.ofSeconds(2)), "of its timeout of 2s the first attempt used 2s");
    }

    @Test
    void aHostWithoutMachinesIsTold() {
        backend.machines = Optional.empty();
        refused(watched(), "vm isolation");
    }

    @Test
    void aMachineThatDoesNotStartIsTold() {
        backend.failsInMachine = Optional.of(new Outcome.SetupFailed("machine", "", "no answer", "look at it"));
        refused(watched(), "machine: no answer; look at it");
    }

    private void refused(Job job, String why) {
        backend.started.clear();
        Result result = run(job);
        assertThat(result.outcome()).isEqualTo(new Outcome.Violated("ptrace"));
        assertThat(Objects.requireNonNull(result.escalation()).happened()).isFalse();
        assertThat(Objects.requireNonNull(result.escalation()).refusal()).contains(why);
        assertThat(backend.started).hasSize(1);
    }
}
