package dev.cordon.json;

import dev.cordon.config.IdRange;
import dev.cordon.job.Stdin;
import dev.cordon.job.Terminal;
import dev.cordon.job.limit.Limit;
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

    private final JsonGenerator json;
    private final JsonMembers fields;

    private PlanJson(JsonGenerator json) {
        this.json = json;
        this.fields = new JsonMembers(json);
    }

    /** Writes one object. */
    public static void write(JsonGenerator json, Plan plan) {
        new PlanJson(json).write(plan);
    }

    /** The object on many lines. */
    public static String text(Plan plan) {
        return text(writer -> writer.write(plan));
    }

    /** A sandbox's plan, which has no command, as an object on many lines. */
    public static String text(SandboxPlan plan) {
        return text(writer -> {
            writer.json.writeStartObject();
            writer.sandbox(plan);
            writer.fields.objects("rlimits_without_cgroup", plan.belts(), writer::rlimit);
            writer.watched(plan);
            writer.json.writeEndObject();
        });
    }

    private static String text(Consumer<PlanJson> content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(new Indented(), text)) {
            content.accept(new PlanJson(json));
        }
        return text.toString();
    }

    private void write(Plan plan) {
        json.writeStartObject();
        sandbox(plan.sandbox());
        fields.objects("files", plan.exec().files(), this::file);
        fields.object("command", () -> command(plan.exec().command()));
        watched(plan.sandbox());
        json.writeEndObject();
    }

    private void watched(SandboxPlan plan) {
        if (plan.tier() instanceof Tier.Jail jail && jail.watched()) {
            fields.object("watched", () -> json.writeNumberProperty("burst", jail.burst()));
        }
    }

    private void sandbox(SandboxPlan plan) {
        json.writeStringProperty("id", plan.id().value());
        json.writeStringProperty("object", "plan");
        json.writeStringProperty("isolation", plan.tier().isolation().label());
        PlanRemarks remarks = plan.remarks();
        fields.strings("reasons", remarks.reasons());
        fields.strings("notes", remarks.notes());
        fields.strings("layers_missing", remarks.layersMissing());
        json.writeBooleanProperty("strict", plan.strict());
        fields.object("ids", () -> ids(plan.ids()));
        json.writeStringProperty("profile", plan.profile().shown());
        json.writeStringProperty("mac_label", plan.macLabel());
        fields.object("limits", () -> plan.limits().amounts().forEach((limit, amount) -> limit(plan, limit, amount)));
        switch (plan.tier()) {
            case Tier.Jail jail -> fields.object("root", () -> root(jail));
            case Tier.PlainProcess process ->
                json.writeStringProperty(
                        "work_directory", process.workDirectory().toString());
            case Tier.Machine vm -> {
                fields.object("machine", () -> machine(vm.machine()));
                fields.object("root", () -> root(vm.inner()));
            }
        }
        fields.objects("operations", plan.operations(), this::operation);
    }

    private void root(Tier.Jail jail) {
        json.writeStringProperty("hostname", jail.hostname());
        json.writeNumberProperty("bytes", jail.rootBytes().bytes());
        json.writeNumberProperty("inodes", jail.rootInodes());
    }

    private void machine(MachinePlan machine) {
        json.writeStringProperty("image", machine.image());
        json.writeNumberProperty("memory", machine.memory().bytes());
        json.writeNumberProperty("cpus", machine.cpus());
        json.writeStringProperty("acceleration", machine.acceleration().label());
    }

    private void limit(SandboxPlan plan, Limit limit, long amount) {
        json.writeStringProperty(limit.key(), limit.show(amount) + (plan.asked().contains(limit) ? "" : " (default)"));
    }

    private void ids(HostIds ids) {
        switch (ids) {
            case HostIds.Slot slot -> {
                json.writeStringProperty("kind", "slot");
                range("host", slot.range());
            }
            case HostIds.Owner owner -> {
                json.writeStringProperty("kind", "owner");
                json.writeNumberProperty("host_uid", owner.uid());
                json.writeNumberProperty("host_gid", owner.gid());
            }
            case HostIds.Caller caller -> {
                json.writeStringProperty("kind", "caller");
                json.writeNumberProperty("host_uid", caller.uid());
                json.writeNumberProperty("host_gid", caller.gid());
            }
            case HostIds.Subordinate subordinate -> {
                json.writeStringProperty("kind", "subordinate");
                range("host_uids", subordinate.uids());
                range("host_gids", subordinate.gids());
            }
        }
    }

    private void range(String name, IdRange range) {
        json.writeStringProperty(name, "one of " + range.base() + " to " + (range.base() + range.count() - 1));
    }

    private void operation(RootStep operation) {
        json.writeStringProperty("op", operation.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        json.writeStringProperty("path", operation.path());
        switch (operation) {
            case RootStep.Directory directory -> mode(directory.mode());
            case RootStep.TextFile file -> {
                mode(file.mode());
                json.writeStringProperty("content", file.content());
            }
            case RootStep.Symlink link -> json.writeStringProperty("target", link.target());
            case RootStep.Bind bind -> {
                json.writeStringProperty("source", bind.source());
                json.writeBooleanProperty("writable", bind.writable());
                if (!bind.layer().isEmpty()) {
                    json.writeStringProperty("overlay_on", bind.layer());
                } else if (bind.open()) {
                    json.writeBooleanProperty("shared", true);
                }
            }
            case RootStep.Tmpfs tmpfs -> {
                mode(tmpfs.mode());
                json.writeNumberProperty("bytes", tmpfs.bytes().bytes());
                json.writeNumberProperty("inodes", tmpfs.inodes());
            }
            case RootStep.Device device -> json.writeStringProperty("source", device.source());
            case RootStep.Sysctl sysctl -> json.writeStringProperty("value", sysctl.value());
            case RootStep.Landlock rule -> json.writeStringProperty("allow", rule.write() ? "read and write" : "read");
            case RootStep.Proc ignored -> {}
            case RootStep.Devpts ignored -> {}
            case RootStep.Mask mask -> {
                if (!mask.content().isEmpty()) {
                    json.writeStringProperty("content", mask.content());
                }
            }
            case RootStep.ReadOnly ignored -> {}
            case RootStep.Seal ignored -> {}
        }
    }

    private void mode(int mode) {
        json.writeStringProperty("mode", "0" + Integer.toOctalString(mode));
    }

    private void file(StagedFile file) {
        json.writeStringProperty("path", file.path());
        mode(file.mode());
        switch (file) {
            case StagedFile.Inline inline ->
                json.writeNumberProperty("bytes", inline.file().content().length);
            case StagedFile.HostCopy copy ->
                json.writeStringProperty("source", copy.source().toString());
        }
    }

    private void command(CommandPlan command) {
        fields.strings("argv", command.argv());
        fields.strings("environment", command.environment());
        json.writeStringProperty("workdir", command.workdir());
        json.writeStringProperty(
                "stdin",
                switch (command.stdin()) {
                    case Stdin.Empty ignored -> "/dev/null";
                    case Stdin.Bytes bytes -> bytes.content().length + " bytes";
                    case Stdin.Stream ignored -> "a stream";
                    case Stdin.Fed ignored -> "fed by the caller";
                    case Stdin.FromFile file -> file.file().toString();
                });
        fields.objects("rlimits", command.rlimits(), this::rlimit);
        fields.objects("rlimits_without_cgroup", command.belts(), this::rlimit);
        json.writeStringProperty(
                "on_output_limit", command.onOutputLimit().name().toLowerCase(Locale.ROOT));
        json.writeStringProperty("on_violation", command.onViolation().name().toLowerCase(Locale.ROOT));
        Terminal terminal = command.terminal();
        if (terminal != null) {
            json.writeStringProperty("terminal", terminal.rows() + "x" + terminal.columns());
        }
    }

    private void rlimit(CommandRlimit limit) {
        json.writeStringProperty("resource", limit.resource().name());
        json.writeNumberProperty("soft", limit.soft());
        json.writeNumberProperty("hard", limit.hard());
    }
}
