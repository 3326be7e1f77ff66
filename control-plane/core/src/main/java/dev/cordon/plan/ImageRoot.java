package dev.cordon.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a jail's programs and libraries come from.
 *
 * @param tree    the directory of the host that is shown as the root; "/" for the host's own
 * @param entries the paths of {@link HostImage#CANDIDATES} and the like that it has
 */
public record ImageRoot(Path tree, SortedMap<String, HostEntry> entries) {
    /** Copies the map. */
    public ImageRoot {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        if (!tree.isAbsolute()) {
            throw new IllegalArgumentException("an image's directory is absolute: " + tree);
        }
    }

    /** The host's own. */
    static ImageRoot of(HostFacts host) {
        return new ImageRoot(Path.of("/"), host.image());
    }

    /** Where the host has what the jail sees at a path. */
    String source(String path) {
        return tree.resolve(path.substring(1)).toString();
    }
}
