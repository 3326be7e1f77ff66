package dev.cordon.cli;

import dev.cordon.config.policy.ToolFile;
import dev.cordon.tool.InvalidTool;
import dev.cordon.tool.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code cordon tool check}: whether a tool can be registered. */
final class ToolCheckCommand implements Command {

    @Override
    public String name() {
        return "check";
    }

    @Override
    public List<String> description() {
        return List.of("Read a tool's file and tell everything that is wrong with it. Ends with 1 when something is.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.COLOR);
    }

    @Override
    public String operands() {
        return "FILE";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        if (arguments.operands().size() != 1) {
            throw new UsageError("name one file, such as: cordon tool check /etc/cordon/tools/count.toml");
        }
        Path file = Path.of(arguments.operands().getFirst());
        try {
            Tool tool = ToolFile.read(file);
            stdio.print(TerminalText.visible(file + ": " + tool.name() + ": fine") + "\n");
            return 0;
        } catch (InvalidTool e) {
            e.errors().forEach(stdio::message);
            return ToolListCommand.INVALID;
        }
    }
}
