package dev.cordon.plan.planner;

import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.CommandRlimit;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.PlanRemarks;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.RootStep.Landlock;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.policy.Decision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The plan of a job without namespaces: it sees the host's files as its uid may, and writes to a directory of its own. */
record ProcessPlanner(JobId id, JobSpec job, Decision.Allowed decision, HostFacts facts) implements TierPlanner {
    @Override
    public SandboxPlan sandbox() throws HostUnsupportedException {
        SourceCheck check = new SourceCheck(job, facts);
        check.files();
        for (int i = 0; i < job.containment().mounts().size(); i++) {
            check.error(
                    "/mounts/" + i,
                    job.containment().mounts().get(i).target(),
                    "needs a mount namespace, which process isolation has not",
                    "ask for jail isolation, or leave the mount out: the job sees the host's files where they are");
        }
        if (!check.errors().isEmpty()) {
            throw new InvalidJob(check.errors());
        }
        HostIds ids = facts.root() ? new HostIds.Slot(facts.slots()) : new HostIds.Caller(facts.uid(), facts.gid());
        if (job.containment().strict() && ids instanceof HostIds.Caller) {
            throw new HostUnsupportedException(
                    "ids",
                    "rootless, a process keeps the caller's uid and groups; ask for jail isolation, or run as root");
        }
        Path work = work();
        List<String> missing = ids instanceof HostIds.Caller && facts.extraGroups()
                ? List.of("namespaces", "groups")
                : List.of("namespaces");
        return new SandboxPlan(
                id,
                new Tier.PlainProcess(work),
                ids,
                JobPlanner.SETUP,
                landlock(work.toString()),
                job.containment().profile(),
                job.limits(),
                job.asked(),
                rlimitsWithoutCgroup(ids),
                job.containment().strict(),
                Optional.ofNullable(job.containment().macLabel()).orElse(""),
                CommandDefaults.NONE,
                new PlanRemarks(
                        decision.reasons(),
                        missing,
                        List.of("no namespaces: the job sees the host's processes, network and readable files")));
    }

    private Path work() {
        return facts.runDirectory().resolve("work").resolve(id.value());
    }

    @Override
    public ExecPlan exec(SandboxPlan sandbox) {
        String home = work().toString();
        CommandPlanner command = new CommandPlanner(job, CommandDefaults.NONE, home, home, home, "");
        return new ExecPlan(
                id,
                command.plan(ExecPlanner.workdir(job, CommandDefaults.NONE, home), sandbox.rlimitsWithoutCgroup()),
                command.files(),
                List.of());
    }

    private static List<RootStep> landlock(String home) {
        List<RootStep> rules = new ArrayList<>();
        rules.add(new Landlock("/", false));
        KernelTrees.DEVICES.forEach(name -> rules.add(new Landlock("/dev/" + name, true)));
        rules.add(new Landlock(home, true));
        return rules;
    }

    /** Outside of a user namespace the kernel counts all processes of the uid, so only a uid of the job's own can be limited. */
    private List<CommandRlimit> rlimitsWithoutCgroup(HostIds ids) {
        CommandRlimit memory = CommandPlanner.memoryRlimit(job.limits());
        return ids instanceof HostIds.Slot ? List.of(memory, CommandPlanner.pidsRlimit(job.limits())) : List.of(memory);
    }
}
