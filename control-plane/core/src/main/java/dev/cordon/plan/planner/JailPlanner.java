package dev.cordon.plan.planner;

import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Mount;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.CommandRlimit;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.PlanRemarks;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.RootStep.Bind;
import dev.cordon.plan.RootStep.Landlock;
import dev.cordon.plan.RootStep.Seal;
import dev.cordon.plan.RootStep.TextFile;
import dev.cordon.plan.RootStep.Tmpfs;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.StagedFile;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostSource;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import dev.cordon.policy.Decision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The plan of one jail, step by step in the order in which init will take the steps. */
final class JailPlanner implements TierPlanner {
    static final String WORKSPACE = "/workspace";
    static final String TMP = "/tmp";
    static final String HOSTNAME = "cordon";
    private static final String GIT_SETTINGS = "/etc/gitconfig";

    /** The root holds mount points and a dozen small files, and is read-only before the job starts. */
    private static final ByteSize ROOT_BYTES = ByteSize.mib(1);

    private static final long ROOT_INODES = 4096;

    private final JobId id;
    private final JobSpec job;
    private final Decision.Allowed decision;
    private final HostFacts facts;
    private final ImageRoot image;
    private final HostTrees trees;
    private final Function<Tier.Jail, Tier> around;
    private final RootLayout layout = new RootLayout();
    private final List<String> notes = new ArrayList<>();
    private final List<String> layersMissing = new ArrayList<>();

    /**
     * A planner.
     *
     * @param around what the jail is in
     */
    JailPlanner(
            JobId id,
            JobSpec job,
            Decision.Allowed decision,
            HostFacts facts,
            ImageRoot image,
            HostTrees trees,
            Function<Tier.Jail, Tier> around) {
        this.id = id;
        this.job = job;
        this.decision = decision;
        this.facts = facts;
        this.image = image;
        this.trees = trees;
        this.around = around;
    }

    @Override
    public SandboxPlan sandbox() throws HostUnsupportedException {
        SourceCheck check = new SourceCheck(job, facts);
        HostIds ids = new HostIdChoice(job, facts, check, notes).choose();
        check.files();
        check.mounts(ids);
        if (ids instanceof HostIds.Caller && facts.extraGroups()) {
            missing(
                    "groups",
                    "the caller's supplementary groups stay effective without newgidmap; install newuidmap and give"
                            + " the user ranges in /etc/subuid and /etc/subgid, or run as root");
        }
        root();
        trustInputs();
        KernelTrees.build(layout, job.limits(), trees.shared());
        facts.sysTree().ifPresent(tree -> KernelTrees.sys(layout, trees, tree));
        HostImage.hide(layout, image);
        writableTrees();
        mounts(check);
        stagedFiles(command().files(), check);
        if (liveWorkspace() && command().code().isPresent()) {
            notes.add("the code is written to /tmp, because /workspace is a directory of the host");
        }
        workdir();
        if (!check.errors().isEmpty()) {
            throw new InvalidJob(check.errors());
        }
        layout.add(new Seal());
        landlock();
        List<CommandRlimit> rlimitsWithoutCgroup =
                List.of(CommandPlanner.memoryRlimit(job.limits()), CommandPlanner.pidsRlimit(job.limits()));
        return new SandboxPlan(
                id,
                around.apply(new Tier.Jail(HOSTNAME, ROOT_BYTES, ROOT_INODES, decision.burst())),
                ids,
                JobPlanner.SETUP,
                layout.operations(),
                job.containment().profile(),
                job.limits(),
                job.asked(),
                rlimitsWithoutCgroup,
                job.containment().strict(),
                Optional.ofNullable(job.containment().macLabel()).orElse(""),
                image.defaults(),
                new PlanRemarks(decision.reasons(), layersMissing, notes));
    }

    private void root() throws HostUnsupportedException {
        ImageSettings settings = image.settings();
        if (settings != null) {
            WholeImage.build(layout, image, settings, decision.burst() > 0);
        } else if (image.entries().containsKey("/usr")) {
            HostImage.build(layout, image, trees, decision.burst() > 0);
        } else {
            throw new HostUnsupportedException(
                    "image: the host has no /usr directory to show to jobs", "name an image");
        }
    }

    /** What is shown to a job belongs to others, of whom git would not read: here it may, as the job is contained in any case. */
    private void trustInputs() {
        boolean shows = job.containment().mounts().stream().anyMatch(mount -> !mount.writable());
        if (shows && !image.entries().containsKey(GIT_SETTINGS)) {
            layout.add(new TextFile(GIT_SETTINGS, 0444, "[safe]\n\tdirectory = *\n"));
        }
    }

    @Override
    public ExecPlan exec(SandboxPlan sandbox) {
        return new ExecPlan(
                id,
                command().plan(workingDirectory(), sandbox.rlimitsWithoutCgroup()),
                command().files(),
                List.of());
    }

    private void missing(String layer, String remedy) throws HostUnsupportedException {
        if (job.containment().strict()) {
            throw new HostUnsupportedException(layer, remedy);
        }
        layersMissing.add(layer);
    }

    private void writableTrees() {
        layout.add(new Tmpfs(TMP, 01777, job.limits().disk(), job.limits().files()));
        if (!liveWorkspace()) {
            layout.add(
                    new Tmpfs(WORKSPACE, 0755, job.limits().disk(), job.limits().files()));
        }
    }

    private boolean liveWorkspace() {
        return job.containment().mounts().stream()
                .anyMatch(mount -> mount.target().equals(WORKSPACE));
    }

    private void mounts(SourceCheck check) {
        for (int i = 0; i < job.containment().mounts().size(); i++) {
            Mount mount = job.containment().mounts().get(i);
            Optional<RootStep> obstacle = layout.obstacle(mount.target());
            if (obstacle.isPresent()) {
                check.error(
                        "/mounts/" + i + "/target",
                        mount.target(),
                        "is taken by the host image's " + obstacle.get().path(),
                        "use a path such as /workspace/in or /opt/in");
                continue;
            }
            Optional<Map.Entry<String, HostEntry>> link = WholeImage.linkAbove(image, mount.target());
            if (!image.ofHost() && link.isPresent()) {
                check.error(
                        "/mounts/" + i + "/target",
                        mount.target(),
                        "leads through the image's link " + link.get().getKey(),
                        "use the path to which it leads, or one such as /workspace/in");
                continue;
            }
            layout.parents(mount.target());
            HostSource source = facts.source(mount.source());
            if (source.kind() == HostSource.Kind.FILE) {
                layout.file(mount.target());
            }
            if (mount.writable()) {
                layout.add(new Bind(mount.target(), source.realPath().toString(), true));
            } else {
                trees.show(mount.target(), source.realPath().toString(), layerOf(source), false)
                        .forEach(layout::add);
            }
        }
    }

    /** An overlay is made on a directory: a file is taken from the one that holds it. */
    private static String layerOf(HostSource source) {
        Path above = source.realPath().getParent();
        return (source.kind() == HostSource.Kind.FILE && above != null ? above : source.realPath()).toString();
    }

    /** Code never lands in a directory of the host's. */
    private CommandPlanner command() {
        return new CommandPlanner(job, image.defaults(), WORKSPACE, TMP, liveWorkspace() ? TMP : WORKSPACE, "");
    }

    private void stagedFiles(List<StagedFile> files, SourceCheck check) {
        for (StagedFile file : files) {
            for (Mount mount : job.containment().mounts()) {
                if (!mount.target().equals(WORKSPACE) && RootLayout.isBelow(file.path(), mount.target())) {
                    check.error(
                            "/files", file.path(), "lies in the mount on " + mount.target(), "use a path beside it");
                }
            }
        }
    }

    private String workingDirectory() {
        return CommandPlanner.workdir(job, image.defaults());
    }

    /** A working directory below the job's own trees is made; any other has to be there. */
    private void workdir() {
        String workdir = workingDirectory();
        boolean own = RootLayout.isBelow(workdir, TMP) || (RootLayout.isBelow(workdir, WORKSPACE) && !liveWorkspace());
        if (own && layout.obstacle(workdir).isEmpty()) {
            layout.parents(workdir);
            layout.directory(workdir);
        }
    }

    private void landlock() {
        layout.add(new Landlock("/", false));
        layout.add(new Landlock("/dev", true));
        layout.add(new Landlock("/proc", true));
        layout.add(new Landlock(TMP, true));
        layout.add(new Landlock(WORKSPACE, true));
        for (Mount mount : job.containment().mounts()) {
            if (mount.writable() && !mount.target().equals(WORKSPACE)) {
                layout.add(new Landlock(mount.target(), true));
            }
        }
    }
}
