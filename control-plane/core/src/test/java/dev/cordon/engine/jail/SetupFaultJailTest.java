package dev.cordon.engine.jail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.wire.SetupStage;
import dev.cordon.bindings.wire.plan.FaultAction;
import dev.cordon.bindings.wire.plan.InjectedFault;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.config.Config;
import dev.cordon.engine.Execution;
import dev.cordon.engine.Sandboxes;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.plan.Plan;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.host.HostSurvey;
import dev.cordon.plan.planner.JobPlanner;
import dev.cordon.policy.Decision;
import dev.cordon.policy.rule.Policy;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** whichever step of the set-up fails or dies, the payload never runs and nothing is left. */
@Tag("jail")
@Tag("asUser")
final class SetupFaultJailTest {
    /** The steps that a jail's set-up has on this host; a prepared network namespace and commands are not among them. */
    static Stream<Arguments> faults() {
        return Stream.of(SetupStage.values())
                .filter(stage -> stage.compareTo(SetupStage.PLAN) >= 0 && stage.compareTo(SetupStage.READY) <= 0)
                .flatMap(stage ->
                        Stream.of(FaultAction.ERROR, FaultAction.ABORT).map(action -> Arguments.of(stage, action)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void runsNothingAndLeavesNothing(SetupStage stage, FaultAction action) throws Exception {
        long descriptors = Sandboxes.openDescriptors();
        long mounts = Sandboxes.mounts();
        Result result = run(Optional.of(new InjectedFault(stage, action)));
        assertThat(result.outcome()).isInstanceOf(Outcome.SetupFailed.class);
        assertThat(result.outcome().exitCode()).isEqualTo(125);
        if (action == FaultAction.ERROR) {
            Outcome.SetupFailed failed = (Outcome.SetupFailed) result.outcome();
            assertThat(failed.stage()).isEqualTo(stage.name().toLowerCase(Locale.ROOT));
            assertThat(failed.error()).isEqualTo("EIO");
            assertThat(failed.remedy()).isNotEmpty();
        }
        assertThat(result.stdoutText()).isEmpty();
        assertThat(Sandboxes.supervisors()).isZero();
        assertThat(Sandboxes.mounts()).isEqualTo(mounts);
        // The result is known before the ids and the cgroup are given back.
        await().until(() -> Sandboxes.openDescriptors() == descriptors);
    }

    @Test
    void runsThePayloadWithoutAFault() throws Exception {
        assertThat(run(Optional.empty()).stdoutText()).isEqualTo("canary\n");
    }

    @Test
    void refusesFaultsInAReleaseBuild() throws Exception {
        NativeParts natives = NativeParts.load();
        Outcome outcome = run(
                        natives,
                        natives.supervisorProgram(),
                        Optional.of(new InjectedFault(SetupStage.READY, FaultAction.ERROR)))
                .outcome();
        assertThat(outcome).isInstanceOf(Outcome.SetupFailed.class);
        assertThat(((Outcome.SetupFailed) outcome).stage()).isEqualTo("plan");
    }

    private static Result run(Optional<InjectedFault> fault) throws Exception {
        NativeParts natives = NativeParts.load();
        natives.supervisorProgram(); // kept open for good: not a leak of the run
        try (Fd program =
                natives.kernel().sealed("cordon-supervisor", Files.readAllBytes(Sandboxes.faultySupervisor()))) {
            return run(natives, program, fault);
        }
    }

    private static Result run(NativeParts natives, Fd program, Optional<InjectedFault> fault) throws Exception {
        Config config = Config.load();
        ControlPlaneName owner = ControlPlaneName.current();
        Path plane = config.runDirectory().resolve(owner.job(0, "plane").fileName());
        try (JailBackend backend = new JailBackend(natives, program, fault, config, owner, plane)) {
            Plan plan = plan(config, plane);
            try (Execution execution = backend.start(plan, OutputListener.none())) {
                return execution.result().get();
            }
        }
    }

    private static Plan plan(Config config, Path plane) throws Exception {
        Job job = Job.argv("sh", "-c", "echo canary");
        Decision decision = new Policy(config.ceilings()).decide(job.validate(config.defaults()));
        HostSurvey survey = HostSurvey.of(
                config, plane, SysTree.below(config.runDirectory()).path());
        return JobPlanner.plan(
                new JobId("job_fault"),
                job.validate(config.defaults()),
                (Decision.Allowed) decision,
                HostView.of(survey.facts(job.validate(config.defaults()))));
    }
}
