package dev.cordon.cli;

import java.util.List;
import java.util.Optional;

/** {@code cordon config}: the operator's settings. */
final class ConfigGroup implements CommandGroup {

    @Override
    public String name() {
        return "config";
    }

    @Override
    public String description() {
        return "Show and check the settings, and have a service read them again.";
    }

    @Override
    public List<String> names() {
        return List.of("show", "validate", "schema", "reload");
    }

    @Override
    public Optional<Command> named(String name) {
        return switch (name) {
            case "show" -> Optional.of(new ConfigShowCommand());
            case "validate" -> Optional.of(new ConfigValidateCommand());
            case "schema" -> Optional.of(new ConfigSchemaCommand());
            case "reload" -> Optional.of(new ConfigReloadCommand());
            default -> Optional.empty();
        };
    }
}
