package dev.cordon.cli;

import java.util.List;
import java.util.Optional;

/** {@code cordon image}: the root file systems of virtual machines and of jails that name one. */
final class ImageGroup implements CommandGroup {

    @Override
    public String name() {
        return "image";
    }

    @Override
    public String description() {
        return "Build, list, import and remove the images that sandboxes run in.";
    }

    @Override
    public List<String> names() {
        return List.of("build", "ls", "import", "rm");
    }

    @Override
    public Optional<Command> named(String name) {
        return switch (name) {
            case "build" -> Optional.of(new ImageBuildCommand());
            case "ls" -> Optional.of(new ImageListCommand());
            case "import" -> Optional.of(new ImageImportCommand());
            case "rm" -> Optional.of(new ImageRemoveCommand());
            default -> Optional.empty();
        };
    }
}
