package dev.cordon.cli;

import java.util.List;
import java.util.Optional;

/** All commands. One is created when it is named, so that a start loads the classes of one command only. */
final class Commands {

    /** In the order of the help. */
    static final List<String> NAMES = List.of(
            "run",
            "shell",
            "exec",
            "cp",
            "ps",
            "top",
            "kill",
            "logs",
            "learn",
            "doctor",
            "selftest",
            "bench",
            "image",
            "audit",
            "policy",
            "tool",
            "config",
            "serve",
            "token",
            "completion",
            "version");

    private Commands() {}

    /** The commands below a word; empty when the word is a command itself, or unknown. */
    static Optional<CommandGroup> group(String name) {
        return switch (name) {
            case "image" -> Optional.of(new ImageGroup());
            case "audit" -> Optional.of(new AuditGroup());
            case "token" -> Optional.of(new TokenGroup());
            case "policy" -> Optional.of(new PolicyGroup());
            case "tool" -> Optional.of(new ToolGroup());
            case "config" -> Optional.of(new ConfigGroup());
            default -> Optional.empty();
        };
    }

    static Optional<Command> named(String name) {
        return switch (name) {
            case "run" -> Optional.of(new RunCommand());
            case "shell" -> Optional.of(new ShellCommand());
            case "exec" -> Optional.of(new ExecCommand());
            case "cp" -> Optional.of(new CpCommand());
            case "ps" -> Optional.of(new PsCommand());
            case "top" -> Optional.of(new TopCommand());
            case "kill" -> Optional.of(new KillCommand());
            case "logs" -> Optional.of(new LogsCommand());
            case "learn" -> Optional.of(new LearnCommand());
            case "doctor" -> Optional.of(new DoctorCommand());
            case "selftest" -> Optional.of(new SelftestCommand());
            case "bench" -> Optional.of(new BenchCommand());
            case "serve" -> Optional.of(new ServeCommand());
            case "completion" -> Optional.of(new CompletionCommand());
            case "version", "--version" -> Optional.of(new VersionCommand());
            default -> Optional.empty();
        };
    }
}
