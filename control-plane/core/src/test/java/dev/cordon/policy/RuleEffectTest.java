package dev.cordon.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.cordon.Cordon;
import dev.cordon.EnginedCordon;
import dev.cordon.FakeBackend;
import dev.cordon.PolicedCordon;
import dev.cordon.job.FieldError;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.OnViolation;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.Plan;
import dev.cordon.plan.PlanOutcome;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.result.Acceleration;
import dev.cordon.result.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each thing that a rule can want, in the plan of a job that it matches; the same job without the rule is the control. */
class RuleEffectTest {
    private static final Job JOB = Job.argv("true")
            .memory(ByteSize.mib(512))
            .timeout(Duration.ofSeconds(5))
            .pids(20);

    @TempDir
    private Path folder;

    private final FakeBackend backend = new FakeBackend();

    @BeforeEach
    void machines() {
        backend.machines = Optional.of(machine(Acceleration.EMULATED));
    }

    private static MachineFacts machine(Acceleration acceleration) {
        TreeMap<String, HostEntry> root = new TreeMap<>();
        List.of("/usr", "/bin", "/lib", "/etc").forEach(path -> root.put(path, new HostEntry.Directory()));
        return new MachineFacts("base", ImageRoot.ofMachine(root, ImageSettings.NONE), acceleration, "no kvm", true, 2);
    }

    private PlanOutcome planned(String effect, Job job) throws IOException {
        String policy = "version = 1\n[[rule]]\nname = 'it'\n" + effect;
        try (Cordon cordon = PolicedCordon.onFake(folder, policy, backend)) {
            return EnginedCordon.planned(cordon, job);
        }
    }

    private Plan plan(String effect, Job job) throws IOException {
        return planned(effect, job) instanceof PlanOutcome.Ready ready
                ? ready.plan()
                : fail(planned(effect, job).toString());
    }

    private Outcome refused(String effect, Job job) throws IOException {
        return planned(effect, job) instanceof PlanOutcome.Refused refused
                ? refused.result().outcome()
                : fail("it was not refused");
    }

    @Test
    void allowChangesNothingButTheReasons() throws IOException {
        Plan plan = plan("action = 'allow'\nreason = 'why not'\n", JOB);
        assertThat(plan.reasons()).containsExactly("the default level", "rule it: why not");
        assertThat(plan.isolation()).isEqualTo(Isolation.JAIL);
        assertThat(plan.sandbox().profile()).isEqualTo(new ProfileRef.Named("default"));
        assertThat(plan.sandbox().limits().memory()).isEqualTo(ByteSize.mib(512));
        assertThat(plan.exec().command().onViolation()).isEqualTo(OnViolation.REFUSE);
    }

    @Test
    void denyLeavesNoPlan() throws IOException {
        assertThat(refused("action = 'deny'\nreason = 'not here'\n", JOB))
                .isInstanceOfSatisfying(
                        Outcome.Denied.class,
                        denied -> assertThat(denied.reasons()).contains("rule it: not here"));
    }

    @Test
    void isolationIsRaisedAndNeverLowered() throws IOException {
        assertThat(plan("isolation = 'vm'\n", JOB).isolation()).isEqualTo(Isolation.VM);
        assertThat(plan("isolation = 'jail'\n", JOB.isolation(Isolation.PROCESS))
                        .isolation())
                .isEqualTo(Isolation.JAIL);
        assertThat(plan("isolation = 'jail'\n", JOB.isolation(Isolation.VM)).isolation())
                .isEqualTo(Isolation.VM);
        assertThat(plan("", JOB.isolation(Isolation.PROCESS)).isolation()).isEqualTo(Isolation.PROCESS);
    }

    @Test
    void aLevelAboveTheHighestThatTheJobAllowsIsRefused() throws IOException {
        assertThat(refused("isolation = 'vm'\n", JOB.isolationAtMost(Isolation.JAIL)))
                .isInstanceOfSatisfying(Outcome.Denied.class, denied -> {
                    assertThat(denied.outOfRange()).isTrue();
                    assertThat(denied.httpStatus()).isEqualTo(409);
                    assertThat(denied.reasons())
                            .contains("the rule wants at least vm")
                            .last()
                            .asString()
                            .contains("vm is above the highest level that the job allows, jail");
                });
        assertThat(plan("isolation = 'vm'\n", JOB.isolationAtMost(Isolation.VM)).isolation())
                .isEqualTo(Isolation.VM);
        assertThat(plan("", JOB.isolationAtMost(Isolation.JAIL)).isolation()).isEqualTo(Isolation.JAIL);
        assertThat(refused("", JOB.isolation(Isolation.VM).isolationAtMost(Isolation.JAIL)))
                .isInstanceOfSatisfying(
                        Outcome.Invalid.class,
                        invalid -> assertThat(invalid.errors())
                                .singleElement()
                                .extracting(FieldError::pointer)
                                .isEqualTo("/isolation/max"));
    }

    @Test
    void theProfileIsTheRules() throws IOException {
        assertThat(plan("profile = 'strict'\n", JOB).sandbox().profile()).isEqualTo(new ProfileRef.Named("strict"));
        assertThat(plan("profile = 'strict'\n", JOB.profile(Path.of("/p.json")))
                        .sandbox()
                        .profile())
                .isEqualTo(new ProfileRef.Named("strict"));
        assertThat(plan("profile = 'strict'\nisolation = 'vm'\n", JOB).sandbox().profile())
                .isEqualTo(new ProfileRef.Named("strict"));
    }

    @Test
    void limitsAreLoweredAndNeverRaised() throws IOException {
        Plan plan = plan("limits = { memory = '64M', timeout = '2s', pids = 4000 }\n", JOB);
        assertThat(plan.sandbox().limits().memory()).isEqualTo(ByteSize.mib(64));
        assertThat(plan.exec().command().timeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(plan.sandbox().limits().pids()).isEqualTo(20);
        assertThat(plan("", JOB).sandbox().limits().memory()).isEqualTo(ByteSize.mib(512));
    }

    @Test
    void requiredHardwareRefusesAnEmulatedMachine() throws IOException {
        String wanted = "isolation = 'vm'\nrequire_hardware = true\n";
        assertThat(refused(wanted, JOB))
                .isInstanceOfSatisfying(
                        Outcome.HostUnsupported.class,
                        host -> assertThat(host.check()).contains("rule it"));
        assertThat(plan("isolation = 'vm'\n", JOB).isolation()).isEqualTo(Isolation.VM);
        backend.machines = Optional.of(machine(Acceleration.ACCELERATED));
        assertThat(plan(wanted, JOB).isolation()).isEqualTo(Isolation.VM);
    }

    @Test
    void aWatchedJobIsKilledAtTheFirstWire() throws IOException {
        assertThat(plan("escalate = true\n", JOB).exec().command().onViolation())
                .isEqualTo(OnViolation.KILL);
        assertThat(plan("escalate = true\n", JOB.isolation(Isolation.VM))
                        .exec()
                        .command()
                        .onViolation())
                .as("a machine is the last resort, and the caller's own word holds there")
                .isEqualTo(OnViolation.REFUSE);
    }

    @Test
    void theRiskIsIgnoredWhereTheRuleSaysSo() throws IOException {
        String low = "[risk]\nvm = 30\n";
        assertThat(plan(low, JOB.trust(Trust.UNTRUSTED)).isolation()).isEqualTo(Isolation.VM);
        assertThat(plan("ignore_risk = true\n" + low, JOB.trust(Trust.UNTRUSTED))
                        .isolation())
                .isEqualTo(Isolation.JAIL);
    }
}
