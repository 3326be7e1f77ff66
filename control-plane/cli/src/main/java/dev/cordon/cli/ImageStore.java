package dev.cordon.cli;

import dev.cordon.config.Config;
import dev.cordon.vm.image.ImageProblem;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.image.Layers;
import java.io.IOException;

/** What the commands of {@code cordon image} share: where images are, and how their failures are told. */
final class ImageStore {
    private static final int FAILED = 125;

    private ImageStore() {}

    /** Something that is done with images. */
    @FunctionalInterface
    interface Work {
        int with(Images images) throws UsageError, IOException;
    }

    /** Does it, and tells a problem with its remedy. */
    static int use(Arguments arguments, Stdio stdio, Work work) throws UsageError, IOException {
        Config config = Opening.config(arguments);
        Layers layers = new Layers(config.stateDirectory().resolve("vm"));
        StepLine progress = new StepLine(stdio);
        try {
            return work.with(new Images(layers, config.vm().images(), progress));
        } catch (ImageProblem e) {
            progress.end();
            stdio.message(e.problem());
            stdio.message("remedy: " + e.remedy());
            return FAILED;
        } catch (IOException e) {
            progress.end();
            stdio.message("images in " + config.stateDirectory() + ": " + e);
            stdio.message(
                    "remedy: make room on the disk and the directory writable, then try again; nothing half-made is"
                            + " left");
            return FAILED;
        }
    }

    /** The one operand that a command wants. */
    static String operand(Arguments arguments, String label, int index, int count) throws UsageError {
        if (arguments.operands().size() != count) {
            throw new UsageError("give " + label);
        }
        return arguments.operands().get(index);
    }
}
