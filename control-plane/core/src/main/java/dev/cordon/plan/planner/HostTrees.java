package dev.cordon.plan.planner;

import dev.cordon.plan.RootStep.Bind;
import dev.cordon.plan.facts.HostFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How files of the host are shown for reading. On a kernel that is shared with others they are shown through overlays, so that no watch or
 * lock of the job meets anybody else. An overlay shows nothing that is mounted below its directory: as root every such mount gets an overlay
 * of its own, and a file that is mounted on another is bound; rootless the kernel refuses the overlay, and the jail's init binds the directory as it is, and says so.
 *
 * @param shared whether others use the same kernel
 * @param root whether overlays may be made on directories below which something is mounted
 * @param mountPoints directories on which something is mounted
 * @param mountedFiles files on which another is mounted
 */
record HostTrees(boolean shared, boolean root, SortedSet<String> mountPoints, SortedSet<String> mountedFiles) {
    /** On this host. */
    static HostTrees of(HostFacts facts) {
        return new HostTrees(true, facts.root(), facts.mountPoints(), facts.mountedFiles());
    }

    /** In a machine of the job's own, whose inodes nobody else has. */
    static HostTrees ofMachine() {
        return new HostTrees(false, true, Collections.emptySortedSet(), Collections.emptySortedSet());
    }

    /** Whether an overlay can be made on the host's root, below which there always are mounts. */
    boolean layersRoot() {
        return root;
    }

    /**
     * What shows a file or directory.
     *
     * @param path   where, inside
     * @param source the host's path
     * @param layer  the directory for the overlay: the source, or one above it
     * @param open   whether everybody may open that directory
     */
    List<Bind> show(String path, String source, String layer, boolean open) {
        if (!shared) {
            return List.of(new Bind(path, source, false));
        }
        if (mountedFiles.contains(source)) {
            return List.of(Bind.shared(path, source));
        }
        String nearest = nearestMount(source, layer);
        boolean covered = root
                && (nearest.equals("/")
                        || !nearest.equals(layer)
                        || !below(mountPoints, nearest).isEmpty()
                        || !below(mountedFiles, nearest).isEmpty());
        List<Bind> binds = new ArrayList<>();
        binds.add(new Bind(path, source, false, nearest, open && !covered));
        if (root) {
            for (String point : below(mountPoints, source)) {
                binds.add(new Bind(path + point.substring(source.length()), point, false, point, false));
            }
            // What covers a file is shown, not what it covers; its inode is the host's, because no overlay can be made
            // on a file.
            for (String file : below(mountedFiles, source)) {
                binds.add(Bind.shared(path + file.substring(source.length()), file));
            }
        }
        return binds;
    }

    /** The layer, or what is mounted between it and the source. */
    private String nearestMount(String source, String layer) {
        String nearest = layer;
        for (String point : mountPoints) {
            if (RootLayout.isBelow(source, point) && RootLayout.isBelow(point, nearest)) {
                nearest = point;
            }
        }
        return nearest;
    }

    private static SortedSet<String> below(SortedSet<String> points, String directory) {
        if (points.isEmpty()) {
            return points;
        }
        SortedSet<String> found = new TreeSet<>();
        for (String point : points) {
            if (!point.equals(directory) && RootLayout.isBelow(point, directory)) {
                found.add(point);
            }
        }
        return found;
    }
}
