package dev.cordon.json;

import dev.cordon.config.IdRange;
import dev.cordon.job.Stdin;
import dev.cordon.job.Terminal;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.CommandPlan;
import dev.cordon.plan.CommandRlimit;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.MachinePlan;
import dev.cordon.plan.Plan;
import dev.cordon.plan.PlanRemarks;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.StagedFile;
import dev.cordon.plan.Tier;
import java.io.StringWriter;
import java.util.Locale;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;

/** A plan as JSON, for {@code --dry-run} and for golden files: a reader sees every step that would be taken. */
public final class PlanJson {
    private static final class Indented extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new PlanPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }

    private final JsonMembers json;

    private PlanJson(JsonGenerator json) {
        this.json = new JsonMembers(json);
    }

    /** The object on many lines. */
    public static String text(Plan plan) {
        return text(writer -> writer.write(plan));
    }

    /** A sandbox's plan, which has no command, as an object on many lines. */
    public static String text(SandboxPlan plan) {
        return text(writer -> writer.json.whole(json -> {
            writer.sandbox(plan);
            json.objects("rlimits_without_cgroup", plan.rlimitsWithoutCgroup(), writer::rlimit);
            writer.watched(plan);
        }));
    }

    private static String text(Consumer<PlanJson> content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(new Indented(), text)) {
            content.accept(new PlanJson(json));
        }
        return text.toString();
    }

    private void write(Plan plan) {
        json.whole(_ -> {
            sandbox(plan.sandbox());
            json.objects("files", plan.exec().files(), this::file);
            json.object("command", () -> command(plan.exec().command()));
            watched(plan.sandbox());
        });
    }

    private void watched(SandboxPlan plan) {
        if (plan.tier() instanceof Tier.Jail jail && jail.watched()) {
            json.object("watched", () -> json.put("burst", jail.burst()));
        }
    }

    private void sandbox(SandboxPlan plan) {
        json.put("id", plan.id().value()).put("object", "plan");
        json.put("isolation", plan.tier().isolation().label());
        PlanRemarks remarks = plan.remarks();
        json.strings("reasons", remarks.reasons());
        json.strings("notes", remarks.notes());
        json.strings("layers_missing", remarks.layersMissing());
        json.put("strict", plan.strict());
        json.object("ids", () -> ids(plan.ids()));
        json.put("profile", plan.profile().shown()).put("mac_label", plan.macLabel());
        json.object("limits", () -> plan.limits().amounts().forEach((limit, amount) -> limit(plan, limit, amount)));
        switch (plan.tier()) {
            case Tier.Jail jail -> json.object("root", () -> root(jail));
            case Tier.PlainProcess process ->
                json.put("work_directory", process.workDirectory().toString());
            case Tier.Machine vm -> {
                json.object("machine", () -> machine(vm.machine()));
                json.object("root", () -> root(vm.inner()));
            }
        }
        CommandDefaults defaults = plan.defaults();
        if (!defaults.equals(CommandDefaults.NONE)) {
            json.object(
                    "defaults",
                    () -> json.put("workdir", defaults.workdir())
                            .object("environment", () -> defaults.environment().forEach(json::put)));
        }
        json.objects("operations", plan.operations(), this::operation);
    }

    private void root(Tier.Jail jail) {
        json.put("hostname", jail.hostname());
        json.put("bytes", jail.rootBytes().bytes()).put("inodes", jail.rootInodes());
    }

    private void machine(MachinePlan machine) {
        json.put("image", machine.image());
        json.put("memory", machine.memory().bytes()).put("cpus", machine.cpus());
        json.put("acceleration", machine.acceleration().label());
    }

    private void limit(SandboxPlan plan, Limit limit, long amount) {
        json.put(limit.key(), limit.show(amount) + (plan.asked().contains(limit) ? "" : " (default)"));
    }

    private void ids(HostIds ids) {
        switch (ids) {
            case HostIds.Slot slot -> {
                json.put("kind", "slot");
                range("host", slot.range());
            }
            case HostIds.Owner owner -> host("owner", owner.uid(), owner.gid());
            case HostIds.Caller caller -> host("caller", caller.uid(), caller.gid());
            case HostIds.Subordinate subordinate -> {
                json.put("kind", "subordinate");
                range("host_uids", subordinate.uids());
                range("host_gids", subordinate.gids());
            }
        }
    }

    private void host(String kind, long uid, long gid) {
        json.put("kind", kind).put("host_uid", uid).put("host_gid", gid);
    }

    private void range(String name, IdRange range) {
        json.put(name, "one of " + range.base() + " to " + (range.base() + range.count() - 1));
    }

    private void operation(RootStep operation) {
        json.put("op", operation.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        json.put("path", operation.path());
        switch (operation) {
            case RootStep.Directory directory -> mode(directory.mode());
            case RootStep.TextFile file -> {
                mode(file.mode());
                json.put("content", file.content());
            }
            case RootStep.Symlink link -> json.put("target", link.target());
            case RootStep.Bind bind -> {
                json.put("source", bind.source());
                json.put("writable", bind.writable());
                if (!bind.layer().isEmpty()) {
                    json.put("overlay_on", bind.layer());
                } else if (bind.open()) {
                    json.put("shared", true);
                }
            }
            case RootStep.Tmpfs tmpfs -> {
                mode(tmpfs.mode());
                json.put("bytes", tmpfs.bytes().bytes()).put("inodes", tmpfs.inodes());
            }
            case RootStep.Device device -> json.put("source", device.source());
            case RootStep.Sysctl sysctl -> json.put("value", sysctl.value());
            case RootStep.Landlock rule -> json.put("allow", rule.write() ? "read and write" : "read");
            case RootStep.Mask mask -> {
                if (!mask.content().isEmpty()) {
                    json.put("content", mask.content());
                }
            }
            case RootStep.Cgroups _, RootStep.Proc _, RootStep.Devpts _, RootStep.ReadOnly _, RootStep.Seal _ -> {}
        }
    }

    private void mode(int mode) {
        json.put("mode", "0" + Integer.toOctalString(mode));
    }

    private void file(StagedFile file) {
        json.put("path", file.path());
        mode(file.mode());
        switch (file) {
            case StagedFile.Inline inline -> json.put("bytes", inline.file().content().length);
            case StagedFile.HostCopy copy -> json.put("source", copy.source().toString());
        }
    }

    private void command(CommandPlan command) {
        json.strings("argv", command.argv());
        json.strings("environment", command.environment());
        json.put("workdir", command.workdir());
        json.put(
                "stdin",
                switch (command.stdin()) {
                    case Stdin.Empty ignored -> "/dev/null";
                    case Stdin.Bytes bytes -> bytes.content().length + " bytes";
                    case Stdin.Stream ignored -> "a stream";
                    case Stdin.Fed ignored -> "fed by the caller";
                    case Stdin.FromFile file -> file.file().toString();
                });
        json.objects("rlimits", command.rlimits(), this::rlimit);
        json.objects("rlimits_without_cgroup", command.rlimitsWithoutCgroup(), this::rlimit);
        json.put("on_output_limit", command.onOutputLimit().name().toLowerCase(Locale.ROOT));
        json.put("on_violation", command.onViolation().name().toLowerCase(Locale.ROOT));
        Terminal terminal = command.terminal();
        if (terminal != null) {
            json.put("terminal", terminal.rows() + "x" + terminal.columns());
        }
    }

    private void rlimit(CommandRlimit limit) {
        json.put("resource", limit.resource().name());
        json.put("soft", limit.soft()).put("hard", limit.hard());
    }
}
