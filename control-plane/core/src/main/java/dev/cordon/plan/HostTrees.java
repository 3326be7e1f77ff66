package dev.cordon.plan;

import dev.cordon.plan.PlanOp.Bind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How files of the host are shown for reading. On a kernel that is shared with others they are shown through overlays, so that no watch or
 * lock of the job meets anybody else. An overlay shows nothing that is mounted below its directory: as root every such mount gets an overlay
 * of its own; rootless the kernel refuses the overlay, and the jail's init binds the directory as it is, and says so.
 */
final class HostTrees {
    private final boolean shared;
    private final boolean root;
    private final SortedSet<String> mountPoints;

    private HostTrees(boolean shared, boolean root, SortedSet<String> mountPoints) {
        this.shared = shared;
        this.root = root;
        this.mountPoints = mountPoints;
    }

    /** On this host. */
    static HostTrees of(HostFacts facts) {
        return new HostTrees(true, facts.root(), facts.mountPoints());
    }

    /** In a machine of the job's own, whose inodes nobody else has. */
    static HostTrees ofMachine() {
        return new HostTrees(false, true, Collections.emptySortedSet());
    }

    /** Whether others use the same kernel. */
    boolean shared() {
        return shared;
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
        String nearest = nearestMount(source, layer);
        boolean covered = root && !below(nearest).isEmpty();
        List<Bind> binds = new ArrayList<>();
        binds.add(new Bind(path, source, false, nearest, open && !covered));
        if (root) {
            for (String point : below(source)) {
                binds.add(new Bind(path + point.substring(source.length()), point, false, point, false));
            }
        }
        return binds;
    }

    /** The layer, or what is mounted between it and the source. */
    private String nearestMount(String source, String layer) {
        String nearest = layer;
        for (String point : mountPoints) {
            if (Layout.isBelow(source, point) && Layout.isBelow(point, nearest)) {
                nearest = point;
            }
        }
        return nearest;
    }

    private SortedSet<String> below(String directory) {
        SortedSet<String> found = new TreeSet<>();
        for (String point : mountPoints) {
            if (!point.equals(directory) && Layout.isBelow(point, directory)) {
                found.add(point);
            }
        }
        return found;
    }
}
