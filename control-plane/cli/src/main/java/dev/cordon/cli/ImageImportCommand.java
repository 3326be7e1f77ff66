package dev.cordon.cli;

import dev.cordon.api.ByteSize;
import dev.cordon.vm.image.Image;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code cordon image import}. */
final class ImageImportCommand implements Command {

    @Override
    public String name() {
        return "import";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Take an image from an archive: a tar of a root file system, an OCI image, or what docker save writes.",
                "",
                "Layers and their deletions are applied, hashes are checked, devices and setuid bits are left out.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.CONFIG, Option.LOCAL, Option.COLOR);
    }

    @Override
    public String operands() {
        return "NAME ARCHIVE";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(Remote.impossible("cordon image import"));
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        String name = ImageStore.operand(arguments, "NAME and ARCHIVE", 0, 2);
        Path archive = Path.of(ImageStore.operand(arguments, "NAME and ARCHIVE", 1, 2));
        if (!Files.isRegularFile(archive)) {
            throw new UsageError(archive + " is no file");
        }
        return ImageStore.use(arguments, stdio, images -> {
            Image image = images.importArchive(name, archive);
            stdio.print(name + ": " + ByteSize.bytes(Files.size(image.root())) + ", " + image.root() + "\n");
            return 0;
        });
    }
}
