package dev.cordon.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.job.InvalidJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.CommandPlan;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.Hosts;
import dev.cordon.plan.MachinePlan;
import dev.cordon.plan.Plan;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.policy.Decision;
import dev.cordon.policy.Risk;
import dev.cordon.policy.RuleEffect;
import dev.cordon.policy.rule.Policy;
import dev.cordon.result.Acceleration;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VmPlannerTest {
    private static MachinePlan machine(Job job, MachineFacts machines) throws HostUnsupportedException {
        return ((Tier.Machine) plan(job, machines).sandbox().tier()).machine();
    }

    private static Plan plan(Job job, MachineFacts machines) throws HostUnsupportedException {
        JobSpec spec = job.isolation(Isolation.VM).validate();
        Decision.Allowed decision = (Decision.Allowed) new Policy(Map.of()).decide(spec);
        HostFacts facts = Hosts.with(Hosts.root(), "/srv/data", Hosts.directory("/srv/data", 0, 0755, false));
        return JobPlanner.plan(
                new JobId("job_vm"), spec, decision, HostView.of(facts).withMachines(machines));
    }

    @Test
    void emulationIsRefusedUnlessTheOperatorAllowsIt() {
        assertThatExceptionOfType(HostUnsupportedException.class)
                .isThrownBy(() -> plan(Job.argv("true"), Hosts.machines(Acceleration.EMULATED, false)))
                .satisfies(refusal -> {
                    assertThat(refusal.outcome().toString())
                            .contains("/dev/kvm is missing", "not a boundary of hardware");
                    assertThat(refusal.outcome().remedy())
                            .contains("vm.allow_emulated = true", "CORDON_VM__ALLOW_EMULATED=true");
                });
    }

    @Test
    void aRuleThatRequiresHardwareIsStrongerThanThePermission() {
        RuleEffect hardware = new RuleEffect(Isolation.VM, null, Map.of(), true, false, 0, false);
        Decision.Allowed decision =
                new Decision.Allowed(Isolation.VM, List.of("a test"), Risk.NONE, "strangers", hardware);
        assertThatExceptionOfType(HostUnsupportedException.class)
                .isThrownBy(() -> JobPlanner.plan(
                        new JobId("job_vm"),
                        Job.argv("true").validate(),
                        decision,
                        HostView.of(Hosts.root()).withMachines(Hosts.machines(Acceleration.EMULATED, true))))
                .satisfies(refusal -> assertThat(refusal.outcome().toString()).contains("rule strangers requires"));
    }

    private static ImageRoot image(String name) {
        SortedMap<String, HostEntry> entries = new TreeMap<>();
        entries.put("/usr", new HostEntry.Directory());
        entries.put("/app", new HostEntry.Directory());
        entries.put("/var/run", new HostEntry.Link("/run"));
        CommandDefaults defaults = new CommandDefaults(Map.of("MODE", "batch"), "/app");
        return new ImageRoot(
                Path.of("/var/lib/cordon/vm/root-" + name + "/root"),
                entries,
                new ImageSettings(defaults, "root:x:0:0::/root:/bin/sh\n", ""));
    }

    private static Plan planned(Job job) throws HostUnsupportedException {
        return JobPlanner.plan(
                new JobId("job_image"),
                job.image("tiny").validate(),
                new Decision.Allowed(Isolation.JAIL, List.of("a test")),
                HostView.of(Hosts.with(Hosts.root(), "/srv/hosts", Hosts.file("/srv/hosts", 0, 0644)))
                        .withRoot(image("tiny")));
    }

    @Test
    void aJailWithAnImageShowsItWholeAndNothingOfTheHostsOwn() throws HostUnsupportedException {
        List<RootStep> steps = planned(Job.argv("true")).sandbox().operations();
        String tree = "/var/lib/cordon/vm/root-tiny/root";
        RootStep.Bind below = new RootStep.Bind("/", tree, false, tree, false);
        String sys = "/run/cordon/sys.1";
        assertThat(steps.stream().filter(RootStep.Bind.class::isInstance))
                .containsExactly(below, new RootStep.Bind("/sys", sys, false, sys, false));
        int image = steps.indexOf(below);
        assertThat(steps.subList(0, image))
                .allMatch(step -> step instanceof RootStep.Directory
                        || step instanceof RootStep.TextFile
                        || step instanceof RootStep.Symlink)
                .contains(new RootStep.Directory("/workspace", 0755), new RootStep.TextFile("/dev/null", 0444, ""))
                .anyMatch(step -> step instanceof RootStep.TextFile file
                        && file.path().equals("/etc/passwd")
                        && file.content()
                                .equals("root:x:0:0::/root:/bin/sh\ncordon:x:1000:1000:cordon:/workspace:/bin/sh\n"));
        assertThat(steps.subList(image, steps.size()))
                .noneMatch(step -> step instanceof RootStep.Directory || step instanceof RootStep.TextFile);
    }

    @Test
    void theVariablesOfAnImageCountWithThoseOfTheJob() {
        Job job = Job.argv("true");
        for (int i = 0; i < 7_999; i++) {
            job = job.env("V" + i, "x");
        }
        Job most = job;
        assertThatExceptionOfType(InvalidJob.class)
                .isThrownBy(() -> planned(most))
                .satisfies(refusal -> assertThat(refusal.errors())
                        .singleElement()
                        .satisfies(error -> assertThat(error.pointer()).isEqualTo("/argv")));
    }

    /** What is made up for every job, and what a job shows in its place, are one file. */
    @Test
    void aFileCanBeShownInPlaceOfOneThatIsMadeUp() throws HostUnsupportedException {
        List<RootStep> steps = planned(Job.argv("true").readOnly(Path.of("/srv/hosts"), "/etc/hosts"))
                .sandbox()
                .operations();
        assertThat(steps.stream().filter(step -> step.path().equals("/etc/hosts")))
                .hasSize(2)
                .satisfiesExactly(
                        made -> assertThat(made).isInstanceOf(RootStep.TextFile.class),
                        shown -> assertThat(shown).isInstanceOf(RootStep.Bind.class));
    }

    @Test
    void whatAnImageAsksForHoldsUnlessTheJobSaysOtherwise() throws HostUnsupportedException {
        CommandPlan usual = planned(Job.argv("true")).exec().command();
        assertThat(usual.workdir()).isEqualTo("/app");
        assertThat(usual.environment()).contains("MODE=batch");
        CommandPlan own = planned(Job.argv("true").workdir("/tmp").env("MODE", "own"))
                .exec()
                .command();
        assertThat(own.workdir()).isEqualTo("/tmp");
        assertThat(own.environment()).contains("MODE=own").doesNotContain("MODE=batch");
    }

    @Test
    void aMountDoesNotHideALinkOfTheImage() {
        assertThatExceptionOfType(InvalidJob.class)
                .isThrownBy(() -> planned(Job.argv("true").readOnly(Path.of("/srv/data"), "/var/run/in")))
                .satisfies(invalid -> assertThat(invalid.errors())
                        .anyMatch(error -> error.pointer().equals("/mounts/0/target")
                                && error.rule().contains("the image's link /var/run")));
    }

    @Test
    void theNameOfAnImageIsCheckedAndAProcessHasNone() {
        for (Job job : List.of(
                Job.argv("true").image("../etc"),
                Job.argv("true").image(""),
                Job.argv("true").image("base").isolation(Isolation.PROCESS))) {
            assertThatExceptionOfType(InvalidJob.class)
                    .isThrownBy(job::validate)
                    .satisfies(invalid ->
                            assertThat(invalid.errors().getFirst().pointer()).isEqualTo("/image"));
        }
    }

    @Test
    void anAcceleratedMachineNeedsNoPermission() throws HostUnsupportedException {
        MachineFacts machines = Hosts.machines(Acceleration.ACCELERATED, false);
        Plan plan = plan(Job.argv("true"), machines);
        assertThat(machine(Job.argv("true"), machines).acceleration()).isEqualTo(Acceleration.ACCELERATED);
        assertThat(plan.isolation()).isEqualTo(Isolation.VM);
    }

    @Test
    void theMachineHoldsTheJobsMemoryAndItsOwn() throws HostUnsupportedException {
        assertThat(machine(Job.argv("true"), Hosts.machines()).memory()).isEqualTo(ByteSize.mib(768));
        assertThat(machine(Job.argv("true").memory(ByteSize.gib(2)), Hosts.machines())
                        .memory())
                .isEqualTo(ByteSize.mib(3072));
    }

    @Test
    void processorsFollowTheJobInPowersOfTwo() throws HostUnsupportedException {
        assertThat(machine(Job.argv("true").cpus(0.5), Hosts.machines()).cpus()).isEqualTo(2);
        assertThat(machine(Job.argv("true").cpus(2.5), Hosts.machines()).cpus()).isEqualTo(4);
        assertThat(machine(Job.argv("true").cpus(64), Hosts.machines()).cpus()).isEqualTo(4);
    }

    @Test
    void whatLiesOnTheHostCannotBeMounted() {
        assertThatExceptionOfType(InvalidJob.class)
                .isThrownBy(() -> plan(Job.argv("true").readOnly(Path.of("/srv/data"), "/in"), Hosts.machines()))
                .satisfies(invalid -> assertThat(invalid.errors())
                        .singleElement()
                        .satisfies(error -> assertThat(error.toString()).contains("/mounts/0", "shares no directory")));
    }

    @Test
    void theJailInsideIsMadeForTheImageNotForTheHost() throws HostUnsupportedException {
        SandboxPlan inner = plan(Job.argv("true"), Hosts.machines()).sandbox();
        assertThat(inner.ids()).isEqualTo(new HostIds.Slot(VmPlanner.GUEST_IDS));
        assertThat(inner.operations()).contains(new RootStep.Bind("/", "/", false, "/", false));
    }
}
