package dev.cordon.cli;

import dev.cordon.cli.command.audit.AuditCommands;
import dev.cordon.cli.command.audit.AuditVerifyCommand;
import dev.cordon.cli.command.host.BenchCommand;
import dev.cordon.cli.command.host.DoctorCommand;
import dev.cordon.cli.command.host.SelftestCommand;
import dev.cordon.cli.command.host.VersionCommand;
import dev.cordon.cli.command.image.ImageCommands;
import dev.cordon.cli.command.run.LearnCommand;
import dev.cordon.cli.command.run.PolicyCommands;
import dev.cordon.cli.command.run.RunCommand;
import dev.cordon.cli.command.sandbox.CpCommand;
import dev.cordon.cli.command.sandbox.ExecCommand;
import dev.cordon.cli.command.sandbox.KillCommand;
import dev.cordon.cli.command.sandbox.LogsCommand;
import dev.cordon.cli.command.sandbox.PsCommand;
import dev.cordon.cli.command.sandbox.ShellCommand;
import dev.cordon.cli.command.sandbox.TopCommand;
import dev.cordon.cli.command.service.ConfigCommands;
import dev.cordon.cli.command.service.ServeCommand;
import dev.cordon.cli.command.service.TokenCommands;
import dev.cordon.cli.command.tool.ToolCommands;
import dev.cordon.cli.parse.CommandSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All commands. The row of one is made when it is named, so that a start loads the classes of one command only. */
final class CommandList {

    /** In the order of the help. */
    static final List<String> NAMES = List.of(
            ("run shell exec cp ps top kill logs learn doctor selftest bench image audit policy tool config serve"
                            + " token completion version")
                    .split(" ", -1));

    private CommandList() {}

    /**
     * Commands below one word, such as {@code cordon audit verify}.
     *
     * @param name        the word
     * @param description one sentence for the list of commands
     * @param names       those of its commands, in the order of the help
     */
    record Group(String name, String description, List<String> names) {
        private static Group of(String name, String names, String description) {
            return new Group(name, description, List.of(names.split(" ", -1)));
        }

        /** The command of this name; null when there is none. */
        @Nullable
        CommandSpec named(String inner) {
            return switch (name + " " + inner) {
                case "image build" -> ImageCommands.build();
                case "image ls" -> ImageCommands.list();
                case "image import" -> ImageCommands.importing();
                case "image rm" -> ImageCommands.remove();
                case "audit tail" -> AuditCommands.tail();
                case "audit show" -> AuditCommands.show();
                case "audit verify" -> AuditVerifyCommand.spec();
                case "audit export" -> AuditCommands.export();
                case "audit keygen" -> AuditCommands.keygen();
                case "policy check" -> PolicyCommands.check();
                case "policy explain" -> PolicyCommands.explain();
                case "policy default" -> PolicyCommands.standard();
                case "tool ls" -> ToolCommands.list();
                case "tool run" -> ToolCommands.running();
                case "tool check" -> ToolCommands.check();
                case "config show" -> ConfigCommands.show();
                case "config validate" -> ConfigCommands.validate();
                case "config schema" -> ConfigCommands.schema();
                case "config reload" -> ConfigCommands.reload();
                case "token create" -> TokenCommands.create();
                case "token ls" -> TokenCommands.list();
                case "token revoke" -> TokenCommands.revoke();
                default -> null;
            };
        }
    }

    /** The commands below a word; null when the word is a command itself, or unknown. */
    static @Nullable Group group(String name) {
        return switch (name) {
            case "image" ->
                Group.of(
                        name, "build ls import rm", "Build, list, import and remove the images that sandboxes run in.");
            case "audit" ->
                Group.of(
                        name,
                        "tail show verify export keygen",
                        "Read and check the log of what was decided and what happened.");
            case "policy" ->
                Group.of(name, "check explain default", "Check the operator's rules, and ask what they say to a job.");
            case "tool" ->
                Group.of(name, "ls run check", "Run the operator's tools: commands with checked parameters.");
            case "config" ->
                Group.of(
                        name,
                        "show validate schema reload",
                        "Show and check the settings, and have a service read them again.");
            case "token" -> Group.of(name, "create ls revoke", "Make, list and end the tokens of the service.");
            default -> null;
        };
    }

    /** The command of this name; null when there is none. */
    static @Nullable CommandSpec named(String name) {
        return switch (name) {
            case "run" -> RunCommand.spec();
            case "shell" -> ShellCommand.spec();
            case "exec" -> ExecCommand.spec();
            case "cp" -> CpCommand.spec();
            case "ps" -> PsCommand.spec();
            case "top" -> TopCommand.spec();
            case "kill" -> KillCommand.spec();
            case "logs" -> LogsCommand.spec();
            case "learn" -> LearnCommand.spec();
            case "doctor" -> DoctorCommand.spec();
            case "selftest" -> SelftestCommand.spec();
            case "bench" -> BenchCommand.spec();
            case "serve" -> ServeCommand.spec();
            case "completion" -> CompletionCommand.spec();
            case "version", "--version" -> VersionCommand.spec();
            default -> null;
        };
    }
}
