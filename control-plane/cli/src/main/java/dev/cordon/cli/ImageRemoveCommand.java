package dev.cordon.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** {@code cordon image rm}. */
final class ImageRemoveCommand implements Command {

    @Override
    public String name() {
        return "rm";
    }

    @Override
    public List<String> description() {
        return List.of("Remove images. One that a file describes is built again when it is asked for.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.CONFIG, Option.LOCAL, Option.COLOR);
    }

    @Override
    public String operands() {
        return "NAME...";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(Remote.impossible("cordon image rm"));
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        if (arguments.operands().isEmpty()) {
            throw new UsageError("give the NAME of an image");
        }
        return ImageStore.use(arguments, stdio, images -> {
            int code = 0;
            for (String name : arguments.operands()) {
                if (!images.remove(name)) {
                    stdio.message("there is nothing of an image " + name);
                    code = 1;
                }
            }
            return code;
        });
    }
}
