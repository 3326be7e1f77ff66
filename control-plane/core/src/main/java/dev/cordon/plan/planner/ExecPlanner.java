package dev.cordon.plan.planner;

import dev.cordon.job.Command;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Stdin;
import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.StagedFile;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostFacts;
import java.util.List;

/** The plan of one command in a sandbox that stands. */
record ExecPlanner(JobId id, JobSpec job, SandboxPlan sandbox, HostFacts facts) {
    ExecPlan plan() {
        if (job.command() instanceof Command.Script || job.io().stdin() instanceof Stdin.FromFile) {
            SourceCheck check = new SourceCheck(job, facts);
            check.files();
            if (!check.errors().isEmpty()) {
                throw new InvalidJob(check.errors());
            }
        }
        String home = home(sandbox);
        String temporary = sandbox.tier() instanceof Tier.PlainProcess ? home : JailPlanner.TMP;
        // Code never lands in a directory of the host's.
        String codeAt = liveWorkspace() ? temporary : home;
        CommandPlanner planner =
                new CommandPlanner(job, sandbox.defaults(), home, temporary, codeAt, ".cordon-" + id.value() + "-");
        List<StagedFile> files = planner.files();
        return new ExecPlan(
                id,
                planner.plan(workdir(job, sandbox.defaults(), home), sandbox.rlimitsWithoutCgroup()),
                files,
                planner.code().stream().toList());
    }

    /** Where the workspace of a sandbox is, as its processes see it. */
    static String home(SandboxPlan sandbox) {
        return sandbox.tier() instanceof Tier.PlainProcess process
                ? process.workDirectory().toString()
                : JailPlanner.WORKSPACE;
    }

    private boolean liveWorkspace() {
        return sandbox.operations().stream()
                .anyMatch(op -> op instanceof RootStep.Bind bind && bind.path().equals(JailPlanner.WORKSPACE));
    }

    /** /workspace, the jail's name for it, means wherever the workspace is. */
    static String workdir(JobSpec job, CommandDefaults defaults, String home) {
        String asked = CommandPlanner.workdir(job, defaults);
        return RootLayout.isBelow(asked, JailPlanner.WORKSPACE)
                ? home + asked.substring(JailPlanner.WORKSPACE.length())
                : asked;
    }
}
