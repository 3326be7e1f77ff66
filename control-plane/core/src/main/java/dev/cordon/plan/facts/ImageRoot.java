package dev.cordon.plan.facts;

import dev.cordon.plan.planner.HostImage;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where a jail's programs and libraries come from.
 *
 * @param tree    the directory of the host that is shown as the root; "/" for the host's own
 * @param entries the paths of {@link HostImage#SYSTEM}, and of its configuration and data, that it has
 * @param hidden  paths below them that are not shown
 */
public record ImageRoot(Path tree, SortedMap<String, HostEntry> entries, SortedSet<String> hidden) {
    /** Copies the collections. */
    public ImageRoot {
        hidden = Collections.unmodifiableSortedSet(new TreeSet<>(hidden));
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        if (!tree.isAbsolute()) {
            throw new IllegalArgumentException("an image's directory is absolute: " + tree);
        }
    }

    /** An image that shows all that it has. */
    public ImageRoot(Path tree, SortedMap<String, HostEntry> entries) {
        this(tree, entries, Collections.emptySortedSet());
    }

    /** The host's own. */
    public static ImageRoot of(HostFacts host) {
        return new ImageRoot(Path.of("/"), host.image(), host.hidden());
    }

    /** Whether it is the host's own, which everybody may read. */
    public boolean ofHost() {
        return tree.getNameCount() == 0;
    }

    /** Where the host has what the jail sees at a path. */
    public String source(String path) {
        return tree.resolve(path.substring(1)).toString();
    }
}
