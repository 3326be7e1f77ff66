package dev.cordon.cli;

import dev.cordon.api.ByteSize;
import dev.cordon.vm.image.Image;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/** {@code cordon image build}. */
final class ImageBuildCommand implements Command {

    static final Option REFRESH =
            Option.flag("--refresh", "Build anew, with the packages and the kernel as they are now.");

    @Override
    public String name() {
        return "build";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Build an image and the kernel of virtual machines, unless they are there.",
                "",
                "NAME is base, or a file NAME.toml with a list of packages in the directory images beside the",
                "configuration file. The packages come from the sources that this host's apt is configured with;",
                "nothing is installed here. Where a service is named or there, it builds the image among its own;",
                "a build goes on there after Ctrl-C.");
    }

    @Override
    public List<Option> options() {
        return List.of(REFRESH, Option.CONFIG, Option.LOCAL, Option.JSON, Option.COLOR);
    }

    @Override
    public String operands() {
        return "[NAME]";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteImageBuild());
    }

    /** The image that is meant. */
    static String image(Arguments arguments) throws UsageError {
        if (arguments.operands().size() > 1) {
            throw new UsageError("give one NAME, or none for base");
        }
        return arguments.operands().isEmpty() ? "base" : arguments.operands().getFirst();
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        String name = image(arguments);
        return ImageStore.use(arguments, stdio, images -> {
            Image image;
            if (arguments.has(REFRESH)) {
                images.renewKernel();
                image = images.rebuild(name);
            } else {
                image = images.obtain(name);
            }
            images.bootFiles();
            long size = Files.size(image.root());
            stdio.print(
                    arguments.has(Option.JSON)
                            ? "{\"name\":\"" + name + "\",\"key\":\"" + image.key() + "\",\"size\":" + size + "}\n"
                            : name + ": " + ByteSize.bytes(size) + ", " + image.root() + "\n");
            return 0;
        });
    }
}
