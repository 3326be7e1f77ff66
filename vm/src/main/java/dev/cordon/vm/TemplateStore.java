package dev.cordon.vm;

import dev.cordon.vm.image.Image;
import dev.cordon.vm.image.Layer;
import dev.cordon.vm.image.Layers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Which templates the disk keeps. Those whose inputs have changed are never asked for again, and so are the first to go. One that is in
 * use can go, too: whoever uses it holds its content.
 */
final class TemplateStore {
    /** Each takes some 100 MiB. */
    static final int MOST_KEPT = 8;

    private static final String IMAGE = "image";

    private TemplateStore() {}

    /** Notes which image a template is of, while it is made. */
    static void describe(Path directory, Image image) throws IOException {
        Files.writeString(directory.resolve(IMAGE), image.key() + "\n");
    }

    /** Notes that a template is used now. */
    static void use(Layer layer) {
        layer.touch();
    }

    static boolean hasRoom(Layers layers) throws IOException {
        return layers.list(Template.KIND, "").size() < MOST_KEPT;
    }

    /** Removes all but those that were used last. */
    static void prune(Layers layers) throws IOException {
        List<Layer> old = layers.list(Template.KIND, "").stream()
                .sorted(Comparator.comparing(Layer::touched).reversed())
                .skip(MOST_KEPT)
                .toList();
        if (!old.isEmpty()) {
            layers.remove(old);
        }
    }
}
