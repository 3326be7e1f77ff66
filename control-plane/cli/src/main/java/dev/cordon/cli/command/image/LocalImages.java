package dev.cordon.cli.command.image;

import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.StepLine;
import dev.cordon.config.Config;
import dev.cordon.vm.image.Image;
import dev.cordon.vm.image.ImageListing;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.layer.ImageProblem;
import dev.cordon.vm.layer.LayerStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Images in the state directory of this user. */
record LocalImages(ParsedArguments arguments, StandardStreams stdio) implements ImageGateway {
    /** Something that is done with images. */
    @FunctionalInterface
    private interface Work<T> {
        T with(Images images) throws IOException;
    }

    @Override
    public List<ImageListing> list() throws CommandFailure {
        return use(Images::list);
    }

    @Override
    public Built build(String name, boolean refresh) throws CommandFailure {
        return use(images -> {
            if (refresh) {
                images.renewKernel();
            }
            Image image = refresh ? images.rebuild(name) : images.obtain(name);
            images.bootFiles();
            return built(image);
        });
    }

    @Override
    public Built importArchive(String name, Path archive) throws CommandFailure {
        if (!Files.isRegularFile(archive)) {
            throw new UsageError(archive + " is not a file");
        }
        return use(images -> built(images.importArchive(name, archive)));
    }

    private static Built built(Image image) throws IOException {
        return new Built(image.key(), Files.size(image.root()), image.root().toString());
    }

    @Override
    public boolean remove(String name) throws CommandFailure {
        return use(images -> images.remove(name));
    }

    /** Does it, and tells a problem with its remedy. */
    private <T> T use(Work<T> work) throws CommandFailure {
        Config config = CordonOpening.config(arguments);
        LayerStore layers = new LayerStore(config.stateDirectory().resolve("vm"));
        StepLine progress = new StepLine(stdio);
        try {
            return work.with(new Images(layers, config.vm().images(), progress));
        } catch (ImageProblem e) {
            progress.end();
            throw new CommandFailure(CommandFailure.FAILED, e.problem(), "remedy: " + e.remedy());
        } catch (IOException e) {
            progress.end();
            throw new CommandFailure(
                    CommandFailure.FAILED,
                    "images in " + config.stateDirectory() + ": " + e,
                    "remedy: make room on the disk and the directory writable, then try again; nothing half-made is"
                            + " left");
        }
    }
}
