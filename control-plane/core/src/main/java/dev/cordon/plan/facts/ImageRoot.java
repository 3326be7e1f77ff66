package dev.cordon.plan.facts;

import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.planner.HostImage;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a jail's programs and libraries come from.
 *
 * @param tree     the directory that is shown as the root; "/" for the host's own, and for the image of a machine
 * @param entries  of the host, the paths of {@link HostImage#SYSTEM}, and of its configuration and data, that it has; of an image, what
 *                 lies directly below its root, and its links near that
 * @param hidden   paths below them that are not shown
 * @param settings what the image says of itself; null for the host's own root
 */
public record ImageRoot(
        Path tree,
        SortedMap<String, HostEntry> entries,
        SortedSet<String> hidden,
        @Nullable ImageSettings settings) {
    /** Copies the collections. */
    public ImageRoot {
        hidden = Collections.unmodifiableSortedSet(new TreeSet<>(hidden));
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        if (!tree.isAbsolute()) {
            throw new IllegalArgumentException("an image's directory is absolute: " + tree);
        }
    }

    /** An image, which is shown whole. */
    public ImageRoot(Path tree, SortedMap<String, HostEntry> entries, ImageSettings settings) {
        this(tree, entries, Collections.emptySortedSet(), settings);
    }

    /** The image of a machine, which sees it as its own root. */
    public static ImageRoot ofMachine(SortedMap<String, HostEntry> entries, ImageSettings settings) {
        return new ImageRoot(Path.of("/"), entries, settings);
    }

    /** This image, as a machine of it sees it. */
    public ImageRoot inMachine() {
        return new ImageRoot(Path.of("/"), entries, hidden, settings);
    }

    /** The host's own. */
    public static ImageRoot of(HostFacts host) {
        return new ImageRoot(Path.of("/"), host.image(), host.hidden(), null);
    }

    /** Whether it is the host's own, which everybody may read. */
    public boolean ofHost() {
        return settings == null;
    }

    /** What its commands have that say nothing else. */
    public CommandDefaults defaults() {
        return settings == null ? CommandDefaults.NONE : settings.defaults();
    }

    /** Where the host has what the jail sees at a path. */
    public String source(String path) {
        return tree.resolve(path.substring(1)).toString();
    }
}
