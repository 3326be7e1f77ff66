package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.command.run.JobArguments;
import dev.cordon.cli.command.run.RunOptions;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalSession;
import dev.cordon.host.HostTerminal;
import dev.cordon.job.Job;
import dev.cordon.job.limit.Limit;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** {@code cordon shell}: an interactive shell in a sandbox of its own, which other commands can reach meanwhile. */
public final class ShellCommand {
    static final CommandOption TIMEOUT =
            CommandOption.value("--timeout", "TIME", "End it after this time, such as 2h (the most that is allowed).");

    private static final List<String> SHELL =
            List.of("/bin/sh", "-c", "if command -v bash >/dev/null; then exec bash -i; else exec sh -i; fi");

    private ShellCommand() {}

    public static CommandSpec spec() {
        List<CommandOption> options = List.of(
                RunOptions.ISOLATION,
                RunOptions.IMAGE,
                TIMEOUT,
                RunOptions.MEMORY,
                RunOptions.CPUS,
                RunOptions.PIDS,
                RunOptions.DISK,
                RunOptions.READ_ONLY,
                RunOptions.READ_WRITE,
                RunOptions.ENV,
                RunOptions.WORKDIR,
                RunOptions.PROFILE,
                RunOptions.ON_VIOLATION,
                RunOptions.STRICT,
                CommandOption.CONFIG,
                CommandOption.LOCAL);
        return new CommandSpec("shell", "[COMMAND [ARGUMENT...]]", ShellCommand::run, options, """
            Open a sandbox and sit down in it.

            A shell, or the command given, with a terminal of its own inside. The sandbox ends with it.
            Meanwhile exec, cp, ps and kill of the same user reach it by its id, shown at the start.\
            """, """

                Exit codes: the shell's own; else as with cordon run.

                What the sandbox writes reaches your terminal as it is, escape sequences included.\
                """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        HostTerminal terminal = HostTerminal.of(0)
                .filter(ignored -> stdio.inIsTerminal() && stdio.outIsTerminal())
                .orElseThrow(() -> new UsageError("cordon shell needs a terminal; for scripts there is cordon run"));
        List<String> command = arguments.operands().isEmpty() ? SHELL : arguments.operands();
        SandboxGateway sandboxes = SandboxGateway.of(arguments, stdio);
        JobArguments given = new JobArguments(arguments, stdio);
        return TerminalSession.sit(terminal, sandboxes.shell(given, command, terminal.size()), stdio);
    }

    /** The command, which may take as long as is allowed at most, and whose programs know of the terminal what is known here. */
    static Job job(
            List<String> command, ParsedArguments arguments, StandardStreams stdio, Function<Limit, String> most) {
        Job job = Job.argv(command)
                .limit(Limit.TIMEOUT, arguments.value(TIMEOUT).orElse(most.apply(Limit.TIMEOUT)))
                .limit(Limit.CPU_TIME, most.apply(Limit.CPU_TIME));
        String kind = stdio.environment().getOrDefault("TERM", "");
        return kind.matches("[A-Za-z0-9._+-]{1,64}") ? job.env("TERM", kind) : job;
    }
}
