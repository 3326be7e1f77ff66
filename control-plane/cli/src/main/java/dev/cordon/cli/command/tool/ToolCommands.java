package dev.cordon.cli.command.tool;

import dev.cordon.cli.command.run.JobConsole;
import dev.cordon.cli.command.run.RunOptions;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import dev.cordon.job.Trust;
import dev.cordon.policy.file.ToolFile;
import dev.cordon.tool.InvalidTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code cordon tool}: commands that the operator gave a name. */
public final class ToolCommands {
    private static final CommandOption PARAMETER = CommandOption.list(
                    "-p",
                    "NAME=VALUE",
                    "A parameter; a text as it stands, numbers, true, false and lists as JSON. Repeatable.")
            .or("--parameter");
    private static final CommandOption PARAMETERS = CommandOption.value(
            "--parameters", "JSON", "All parameters as one JSON object instead; - reads it from standard input.");

    private ToolCommands() {}

    public static CommandSpec list() {
        List<CommandOption> options =
                List.of(CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.JSON, CommandOption.COLOR);
        return new CommandSpec("ls", "", ToolCommands::list, options, """
            List the registered tools and their parameters; with --json, one object with its schema in each line.\
            """);
    }

    private static int list(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        StringBuilder text = new StringBuilder();
        for (ToolGateway.Listing tool : ToolGateway.of(arguments, stdio).list()) {
            String line =
                    "%-20s %s (%s)".formatted(tool.name(), tool.description(), String.join(", ", tool.parameters()));
            text.append((arguments.has(CommandOption.JSON) ? tool.json() : TerminalText.visible(line)) + "\n");
        }
        stdio.print(text.toString());
        return 0;
    }

    public static CommandSpec running() {
        List<CommandOption> options = List.of(
                PARAMETER,
                PARAMETERS,
                RunOptions.OWNER,
                RunOptions.LABEL,
                RunOptions.TRUST,
                RunOptions.RAW,
                CommandOption.CONFIG,
                CommandOption.LOCAL,
                CommandOption.JSON,
                CommandOption.COLOR);
        return new CommandSpec("run", "NAME", ToolCommands::run, options, """
            Run a tool in a sandbox of its own.

            The parameters are checked against the tool's schema and become arguments or files; no shell reads them.
            Exit codes are those of cordon run; 121 when a parameter is wrong, and the message names it.\
            """, """

                Example: cordon tool run count -p text='a b c'\
                """);
    }

    /** One call, its output as it comes, its end as the exit code. */
    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        ToolGateway tools = ToolGateway.of(arguments, stdio);
        String name = arguments.operand("name one tool; cordon tool ls lists them");
        if (arguments.has(PARAMETERS) && arguments.has(PARAMETER)) {
            throw new UsageError("give parameters with -p or with --parameters, not with both");
        }
        Map<String, String> labels = pairs(arguments.values(RunOptions.LABEL), "--label agent=a1");
        Map<String, String> typed = pairs(arguments.values(PARAMETER), "-p text=hello");
        Trust trust = trust(arguments);
        String whole = arguments.value(PARAMETERS).orElse(null);
        if ("-".equals(whole)) {
            whole = new String(stdio.in().readAllBytes(), StandardCharsets.UTF_8);
        }
        ToolGateway.Request request = new ToolGateway.Request(name, whole, typed, labels, trust);
        try (JobConsole console = new JobConsole(arguments, stdio)) {
            return console.follow(tools.start(request, console.listener()));
        }
    }

    private static Trust trust(ParsedArguments arguments) throws UsageError {
        try {
            return Trust.parse(arguments.value(RunOptions.TRUST).orElse("standard"));
        } catch (IllegalArgumentException e) {
            throw new UsageError("--trust: " + e.getMessage());
        }
    }

    private static Map<String, String> pairs(List<String> texts, String example) throws UsageError {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals <= 0) {
                throw new UsageError("'" + text + "' is not NAME=VALUE; write " + example);
            }
            if (pairs.put(text.substring(0, equals), text.substring(equals + 1)) != null) {
                throw new UsageError("'" + text.substring(0, equals) + "' is given twice; give it once");
            }
        }
        return pairs;
    }

    public static CommandSpec check() {
        return new CommandSpec("check", "FILE", ToolCommands::check, List.of(CommandOption.COLOR), """
            Read a tool's file and tell everything that is wrong with it. Ends with 1 when something is.\
            """);
    }

    private static int check(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        Path file =
                Path.of(arguments.operand("name one file, such as: cordon tool check /etc/cordon/tools/count.toml"));
        try {
            stdio.print(TerminalText.visible(file + ": " + ToolFile.read(file).name() + ": fine") + "\n");
            return 0;
        } catch (InvalidTool e) {
            throw new CommandFailure(CommandFailure.NOT_FOUND, e.errors());
        }
    }
}
