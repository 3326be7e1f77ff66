package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.command.run.JobConsole;
import dev.cordon.cli.command.run.RunOptions;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandEnding;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalSession;
import dev.cordon.host.HostTerminal;
import java.io.IOException;
import java.util.List;

/** {@code cordon exec}: a command in a sandbox that is open. */
public final class ExecCommand {
    private static final CommandOption TTY =
            CommandOption.flag("-t", "Give the command a terminal.").or("--tty");
    private static final CommandOption INPUT = CommandOption.flag(
                    "-i", "Pass standard input on; without it the command reads nothing.")
            .or("--stdin");

    private ExecCommand() {}

    public static CommandSpec spec() {
        List<CommandOption> options =
                List.of(INPUT, TTY, RunOptions.RAW, CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.JSON);
        return new CommandSpec("exec", "BOX COMMAND [ARGUMENT...]", ExecCommand::run, options, """
            Run a command in a sandbox that is open.

            BOX is the id of a sandbox of yours, or a part of it that no other has; cordon ps lists them. The
            command has the sandbox's limits; Ctrl-C here ends it.\
            """, """

                Exit codes: as with cordon run; 125 also when the sandbox's process is gone.

                Examples:
                  cordon exec box_01J ls -l
                  cordon exec -t box_01J bash\
                """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        List<String> operands = arguments.operands();
        if (operands.size() < 2) {
            throw new UsageError("a sandbox and a command are needed; try: cordon exec BOX ls, or cordon ps");
        }
        List<String> command = operands.subList(1, operands.size());
        HostTerminal seat = arguments.has(TTY)
                ? HostTerminal.of(0).orElseThrow(() -> new UsageError("-t needs a terminal; leave it out"))
                : null;
        SandboxGateway sandboxes = SandboxGateway.of(arguments, stdio);
        String id = sandboxes.named(operands.getFirst());
        if (seat != null) {
            return TerminalSession.sit(seat, sandboxes.exec(id, command, seat.size()), stdio);
        }
        try (JobConsole console = new JobConsole(arguments, stdio);
                AwaitedJob<CommandEnding> running =
                        sandboxes.exec(id, command, arguments.has(INPUT) ? stdio.in() : null, console.listener())) {
            return console.await(running).report(arguments.has(CommandOption.JSON), stdio);
        }
    }
}
