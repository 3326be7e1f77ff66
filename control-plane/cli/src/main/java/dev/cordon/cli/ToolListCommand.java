package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.json.ToolJson;
import dev.cordon.tool.InvalidTool;
import dev.cordon.tool.Tool;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** {@code cordon tool ls}. */
final class ToolListCommand implements Command {

    static final int INVALID = 1;

    @Override
    public String name() {
        return "ls";
    }

    @Override
    public List<String> description() {
        return List.of("List the registered tools and their parameters; with --json, one object with its schema in each"
                + " line.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.CONFIG, Option.LOCAL, Option.JSON, Option.COLOR);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteToolList());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        try (Cordon cordon = Opening.of(arguments)) {
            StringBuilder text = new StringBuilder();
            for (Tool tool : cordon.tools().list()) {
                text.append(
                        arguments.has(Option.JSON)
                                ? ToolJson.of(tool) + "\n"
                                : line(tool.name(), tool.description(), new TreeSet<>(tool.names())));
            }
            stdio.print(text.toString());
            return 0;
        } catch (InvalidTool e) {
            e.errors().forEach(stdio::message);
            return INVALID;
        }
    }

    static String line(String name, String description, SortedSet<String> parameters) {
        return TerminalText.visible("%-20s %s (%s)".formatted(name, description, String.join(", ", parameters))) + "\n";
    }
}
