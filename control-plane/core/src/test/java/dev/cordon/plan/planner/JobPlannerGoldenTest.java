package dev.cordon.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Golden;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.OnViolation;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.json.PlanJson;
import dev.cordon.plan.Hosts;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.policy.Decision;
import dev.cordon.policy.rule.Policy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobPlannerGoldenTest {
    private static void check(String name, Job job, HostFacts facts) throws HostUnsupportedException {
        JobSpec spec = job.validate();
        Decision.Allowed decision = (Decision.Allowed) new Policy(Map.of()).decide(spec);
        Plan plan = JobPlanner.plan(new JobId("job_golden"), spec, decision, HostView.of(facts));
        Golden.check("plan/" + name + ".json", PlanJson.text(plan) + "\n");
    }

    @Test
    void asRoot() throws HostUnsupportedException {
        check("root", Job.argv("python3", "-c", "print(6*7)"), Hosts.root());
    }

    @Test
    void asAUserWithOneId() throws HostUnsupportedException {
        HostFacts facts = Hosts.facts(Hosts.ADA, Hosts.ADA, true, Optional.empty(), Map.of());
        check("rootless", Job.python("print(6*7)").memory(ByteSize.mib(256)).timeout(Duration.ofSeconds(5)), facts);
    }

    @Test
    void asAUserWithSubordinateIds() throws HostUnsupportedException {
        check(
                "subordinate",
                Job.java("class Main { public static void main(String[] a) {} }")
                        .cpus(1.5),
                Hosts.subordinate());
    }

    @Test
    void withReadOnlyBindsAndFiles() throws HostUnsupportedException {
        HostFacts facts = Hosts.with(Hosts.root(), "/srv/data", Hosts.directory("/srv/data", 0, 0755, false));
        facts = Hosts.with(facts, "/srv/tool", Hosts.directory("/mnt/disk/tool", 0, 0755, false));
        facts = Hosts.with(facts, "/srv/app.conf", Hosts.file("/srv/app.conf", 0, 0644));
        check(
                "binds",
                Job.argv("tool", "--in", "in")
                        .readOnly(Path.of("/srv/data"), "/workspace/in/deep")
                        .readOnly(Path.of("/srv/tool"), "/opt/vendor/tool")
                        .readOnly(Path.of("/srv/app.conf"), "/etc/app/app.conf")
                        .put("etc/params.json", "{}".getBytes(StandardCharsets.UTF_8))
                        .env("PATH", "/opt/vendor/tool:/usr/bin")
                        .env("MODE", "fast")
                        .workdir("/workspace/out/a")
                        .stdin("hello")
                        .disk(ByteSize.mib(16))
                        .files(1000)
                        .addressSpace(ByteSize.gib(1))
                        .onViolation(OnViolation.KILL)
                        .macLabel("cordon-job"),
                facts);
    }

    @Test
    void withALiveWorkspaceAsRoot() throws HostUnsupportedException {
        HostFacts facts = Hosts.with(
                Hosts.root(), "/home/ada/project", Hosts.directory("/home/ada/project", Hosts.ADA, 0755, true));
        check("live-workspace", Job.shell("make").readWrite(Path.of("/home/ada/project"), "/workspace"), facts);
    }

    @Test
    void withALiveOutputDirectoryRootless() throws HostUnsupportedException {
        HostFacts facts = Hosts.with(
                Hosts.subordinate(), "/home/ada/out", Hosts.directory("/home/ada/out", Hosts.ADA, 0700, true));
        check("live-output", Job.argv("true").readWrite(Path.of("/home/ada/out"), "/out"), facts);
    }

    @Test
    void onAHostWithoutMergedUsr() throws HostUnsupportedException {
        HostFacts debian = Hosts.root();
        HostFacts facts = Hosts.plain(
                0, 0, false, debian.slots(), Optional.empty(), Hosts.unmerged(), debian.runDirectory(), Map.of());
        check("unmerged", Job.argv("true"), facts);
    }

    @Test
    void asAProcess() throws HostUnsupportedException {
        check(
                "process-root",
                Job.python("print(1)").isolation(Isolation.PROCESS).workdir("/workspace/src"),
                Hosts.root());
    }

    @Test
    void asAProcessOfAUser() throws HostUnsupportedException {
        HostFacts facts = Hosts.with(Hosts.rootless(), "/home/ada/a.py", Hosts.file("/home/ada/a.py", Hosts.ADA, 0600));
        check(
                "process-rootless",
                Job.file(Path.of("/home/ada/a.py")).isolation(Isolation.PROCESS).workdir("/srv"),
                facts);
    }

    @Test
    void aMachine() throws HostUnsupportedException {
        JobSpec spec =
                Job.python("print(6*7)").isolation(Isolation.VM).cpus(1.5).validate();
        Decision.Allowed decision = (Decision.Allowed) new Policy(Map.of()).decide(spec);
        Plan plan = JobPlanner.plan(
                new JobId("job_golden"),
                spec,
                decision,
                HostView.of(Hosts.rootless()).withMachines(Hosts.machines()));
        Golden.check("plan/machine.json", PlanJson.text(plan) + "\n");
    }

    @Test
    void theJailOfQemu() {
        Plan plan = QemuPlanner.plan(
                new JobId("job_golden"),
                Hosts.root(),
                List.of("/usr/bin/qemu-system-x86_64", "-nodefaults"),
                ByteSize.mib(896),
                2,
                Optional.of(Path.of("/dev/kvm")));
        Golden.check("plan/qemu.json", PlanJson.text(plan) + "\n");
    }

    @Test
    void theTextOfASandboxTellsItsWatchAndItsRlimits() throws HostUnsupportedException {
        JobSpec spec = SandboxSpec.create().validate(Map.of());
        SandboxPlan plan = JobPlanner.sandbox(
                new JobId("job_golden"),
                spec,
                (Decision.Allowed) new Policy(Map.of()).decide(spec),
                HostView.of(Hosts.root()));
        assertThat(PlanJson.text(plan)).doesNotContain("\"watched\"").contains("rlimits_without_cgroup");
        SandboxPlan watched = new SandboxPlan(
                plan.id(),
                new Tier.Jail("cordon", ByteSize.mib(1), 4096, 50),
                plan.ids(),
                plan.setup(),
                plan.operations(),
                plan.profile(),
                plan.limits(),
                plan.asked(),
                plan.rlimitsWithoutCgroup(),
                plan.strict(),
                plan.macLabel(),
                plan.defaults(),
                plan.remarks());
        assertThat(PlanJson.text(watched)).contains("\"watched\"", "\"burst\" : 50");
    }
}
