package dev.cordon.cli;

import java.util.List;
import java.util.Optional;

/** {@code cordon tool}: commands that the operator gave a name. */
final class ToolGroup implements CommandGroup {

    @Override
    public String name() {
        return "tool";
    }

    @Override
    public String description() {
        return "Run the operator's tools: commands with checked parameters.";
    }

    @Override
    public List<String> names() {
        return List.of("ls", "run", "check");
    }

    @Override
    public Optional<Command> named(String name) {
        return switch (name) {
            case "ls" -> Optional.of(new ToolListCommand());
            case "run" -> Optional.of(new ToolRunCommand());
            case "check" -> Optional.of(new ToolCheckCommand());
            default -> Optional.empty();
        };
    }
}
