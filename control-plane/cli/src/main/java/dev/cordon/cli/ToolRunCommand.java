package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.Toolbox;
import dev.cordon.api.Trust;
import dev.cordon.tool.InvalidTool;
import dev.cordon.tool.ToolCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code cordon tool run}: one call of a tool, its output as it comes, its end as the exit code. */
final class ToolRunCommand implements Command {

    static final Option PARAMETER = Option.list(
                    "-p",
                    "NAME=VALUE",
                    "A parameter; a text as it stands, numbers, true, false and lists as JSON. Repeatable.")
            .or("--parameter");
    static final Option PARAMETERS = Option.value(
            "--parameters", "JSON", "All parameters as one JSON object instead; - reads it from standard input.");

    @Override
    public String name() {
        return "run";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Run a tool in a sandbox of its own.",
                "",
                "The parameters are checked against the tool's schema and become arguments or files; no shell reads"
                        + " them.",
                "Exit codes are those of cordon run; 121 when a parameter is wrong, and the message names it.");
    }

    @Override
    public List<Option> options() {
        return List.of(
                PARAMETER,
                PARAMETERS,
                RunOptions.OWNER,
                RunOptions.LABEL,
                RunOptions.TRUST,
                RunOptions.RAW,
                Option.CONFIG,
                Option.LOCAL,
                Option.JSON,
                Option.COLOR);
    }

    @Override
    public String operands() {
        return "NAME";
    }

    @Override
    public List<String> footer() {
        return List.of("", "Example: cordon tool run count -p text='a b c'");
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteToolRun());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        String name = tool(arguments);
        Map<String, String> labels = labels(arguments);
        Map<String, String> typed = typed(arguments);
        Trust trust = trust(arguments);
        try (Cordon cordon = Opening.recorded(arguments, stdio)) {
            Toolbox tools = cordon.tools();
            Optional<String> whole = arguments.value(PARAMETERS);
            String json = whole.isPresent()
                    ? text(whole.get(), stdio)
                    : tools.find(name).map(tool -> tool.typed(typed)).orElse("{}");
            ToolCall call =
                    new ToolCall(name, json, arguments.value(RunOptions.OWNER).orElse("local"), labels, trust);
            return RunCommand.execute(listener -> tools.start(Cordon.newId(), call, listener), arguments, stdio);
        } catch (InvalidTool e) {
            e.errors().forEach(stdio::message);
            return ToolListCommand.INVALID;
        }
    }

    static String tool(Arguments arguments) throws UsageError {
        if (arguments.operands().size() != 1) {
            throw new UsageError("name one tool; cordon tool ls lists them");
        }
        if (arguments.has(PARAMETERS) && arguments.has(PARAMETER)) {
            throw new UsageError("give parameters with -p or with --parameters, not with both");
        }
        return arguments.operands().getFirst();
    }

    static Map<String, String> labels(Arguments arguments) throws UsageError {
        return pairs(arguments.values(RunOptions.LABEL), "--label agent=a1");
    }

    static Map<String, String> typed(Arguments arguments) throws UsageError {
        return pairs(arguments.values(PARAMETER), "-p text=hello");
    }

    static Trust trust(Arguments arguments) throws UsageError {
        try {
            return Trust.parse(arguments.value(RunOptions.TRUST).orElse("standard"));
        } catch (IllegalArgumentException e) {
            throw new UsageError("--trust: " + e.getMessage());
        }
    }

    static String text(String given, Stdio stdio) throws IOException {
        return given.equals("-") ? new String(stdio.in().readAllBytes(), StandardCharsets.UTF_8) : given;
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
}
