package dev.cordon.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.job.InvalidJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.limit.ByteSize;
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
        return Planner.plan(
                new JobId("job_vm"), spec, decision, HostView.of(facts).withMachines(machines));
    }

    @Test
    void emulationIsRefusedUnlessTheOperatorAllowsIt() {
        assertThatExceptionOfType(HostUnsupportedException.class)
                .isThrownBy(() -> plan(Job.argv("true"), Hosts.machines(Acceleration.EMULATED, false)))
                .satisfies(refusal -> {
                    assertThat(refusal.outcome().toString()).contains("/dev/kvm is missing", "no boundary of hardware");
                    assertThat(refusal.outcome().remedy())
                            .contains("vm.allow-emulated = true", "CORDON_VM__ALLOW_EMULATED=true");
                });
    }

    @Test
    void aRuleThatRequiresHardwareIsStrongerThanThePermission() {
        RuleEffect hardware = new RuleEffect(Isolation.VM, null, Map.of(), true, false, 0, false);
        Decision.Allowed decision =
                new Decision.Allowed(Isolation.VM, List.of("a test"), Risk.NONE, "strangers", hardware);
        assertThatExceptionOfType(HostUnsupportedException.class)
                .isThrownBy(() -> Planner.plan(
                        new JobId("job_vm"),
                        Job.argv("true").validate(),
                        decision,
                        HostView.of(Hosts.root()).withMachines(Hosts.machines(Acceleration.EMULATED, true))))
                .satisfies(refusal -> assertThat(refusal.outcome().toString()).contains("rule strangers requires"));
    }

    private static ImageRoot image(String name) {
        SortedMap<String, HostEntry> entries = new TreeMap<>();
        entries.put("/usr", new HostEntry.Directory());
        entries.put("/bin", new HostEntry.Link("usr/bin"));
        entries.put("/etc/os-release", new HostEntry.RegularFile());
        return new ImageRoot(Path.of("/var/lib/cordon/vm/tree-" + name + "/root"), entries);
    }

    @Test
    void aJailWithAnImageShowsNothingOfTheHostsOwn() throws HostUnsupportedException {
        JobSpec spec = Job.argv("true").image("tiny").validate();
        Plan plan = Planner.plan(
                new JobId("job_image"),
                spec,
                new Decision.Allowed(Isolation.JAIL, List.of("a test")),
                HostView.of(Hosts.root()).withRoot(image("tiny")));
        List<RootStep.Bind> binds = plan.sandbox().operations().stream()
                .filter(RootStep.Bind.class::isInstance)
                .map(RootStep.Bind.class::cast)
                .toList();
        String tree = "/var/lib/cordon/vm/tree-tiny/root";
        assertThat(binds)
                .containsExactly(
                        new RootStep.Bind("/usr", tree + "/usr", false, tree, false),
                        new RootStep.Bind("/etc/os-release", tree + "/etc/os-release", false, tree, false));
        assertThat(plan.sandbox().operations()).contains(new RootStep.Symlink("/bin", "usr/bin"));
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
                            assertThat(invalid.errors().getFirst().field()).isEqualTo("/image"));
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
        assertThat(inner.operations()).contains(new RootStep.Bind("/usr", "/usr", false));
    }
}
