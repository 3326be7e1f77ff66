package dev.cordon.vm;

import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.layer.Layer;
import dev.cordon.vm.layer.LayerStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Which templates the disk keeps. Those whose inputs have changed are never asked for again, and so are the first to go. One that is in
 * use can go, too: whoever uses it holds its content. No owner pushes out all that the others have.
 */
final class TemplateStore {
    /** Each takes some 100 MiB. */
    static final int MOST_KEPT = 16;

    /** Of one owner. */
    static final int MOST_OF_OWNER = 8;

    private static final String IMAGE = "image";
    private static final String OWNER = "owner";

    private TemplateStore() {}

    /** Notes which image a template is of, and whose, while it is made. */
    static void describe(Path directory, MachineParts parts) throws IOException {
        Files.writeString(directory.resolve(IMAGE), parts.image().key() + "\n");
        Files.writeString(directory.resolve(OWNER), mark(parts.shape().owner()));
    }

    /** Whether one more of this owner's pushes out none. */
    static boolean hasRoom(LayerStore layers, String owner) throws IOException {
        List<Layer> all = layers.list(MachineTemplate.KIND, "");
        return all.size() < MOST_KEPT
                && all.stream()
                                .filter(layer -> ownerOf(layer).equals(mark(owner)))
                                .count()
                        < MOST_OF_OWNER;
    }

    /** Removes all but those that were used last. */
    static void prune(LayerStore layers) throws IOException {
        List<Layer> newest = layers.list(MachineTemplate.KIND, "").stream()
                .sorted(Comparator.comparing(Layer::touched).reversed())
                .toList();
        List<Layer> old = surplus(newest, TemplateStore::ownerOf);
        if (!old.isEmpty()) {
            layers.remove(old);
        }
    }

    /** What is too much: of each owner, then of all that are left. */
    static <T> List<T> surplus(List<T> newestFirst, Function<T, String> owner) {
        Map<String, Integer> kept = new HashMap<>();
        List<T> surplus = new ArrayList<>();
        for (T each : newestFirst) {
            String whose = owner.apply(each);
            if (kept.getOrDefault(whose, 0) >= MOST_OF_OWNER || total(kept) >= MOST_KEPT) {
                surplus.add(each);
            } else {
                kept.merge(whose, 1, Integer::sum);
            }
        }
        return surplus;
    }

    private static int total(Map<String, Integer> kept) {
        return kept.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** One that tells of no owner is of none. */
    private static String ownerOf(Layer layer) {
        try {
            return Files.readString(layer.file(OWNER));
        } catch (IOException e) {
            return "";
        }
    }

    private static String mark(String owner) {
        return owner.isEmpty() ? "" : new ContentHash().add(owner).hex();
    }
}
