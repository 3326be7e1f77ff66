package dev.cordon.cli.command.run;

import dev.cordon.cli.parse.ColourChoice;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import java.io.IOException;

/** {@code cordon run}: one job in a sandbox of its own, its output as it comes, its end as the exit code. */
public final class RunCommand implements CommandSpec.Action { // a lambda would cost its start milliseconds

    public static CommandSpec spec() {
        return new CommandSpec(
                "run",
                "COMMAND [ARGUMENT...]",
                new RunCommand(),
                RunOptions.ALL,
                """
                Run a command or a piece of code in a sandbox of its own.

                The job sees the host's programs read-only, an empty /workspace and /tmp, no network and none of the
                host's files but those that --ro and --rw name. Nothing of it is left afterwards.\
                """,
                RunOptions.FOOTER,
                DockerOptions.REFUSED);
    }

    @Override
    public int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        ColourChoice.of(arguments, stdio.errIsTerminal(), stdio);
        JobGateway jobs = JobGateway.of(arguments, stdio);
        JobArguments given = new JobArguments(arguments, stdio);
        try (JobConsole console = new JobConsole(arguments, stdio)) {
            return arguments.has(RunOptions.DRY_RUN)
                    ? console.show(jobs.dryRun(given))
                    : console.follow(jobs.start(given, console.listener()));
        }
    }
}
