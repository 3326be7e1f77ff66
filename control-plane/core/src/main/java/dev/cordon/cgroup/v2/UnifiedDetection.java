package dev.cordon.cgroup.v2;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CgroupMount;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.CgroupSupport.None;
import dev.cordon.cgroup.CgroupSupport.Placement;
import dev.cordon.cgroup.CgroupSupport.Unified;
import dev.cordon.cgroup.DetectionView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the place in the v2 tree that is ours to use. In this order: our own delegated unit when we are alone in it;
 * as root the top of the tree; else the topmost ancestor that we may write, which is the user's own service manager:
 * CLONE_INTO_CGROUP needs write access to the common ancestor of where the caller sits and where the child goes.
 */
public final class UnifiedDetection {

    private static final String DELEGATE =
            "run it as a service with Delegate=yes, or as: systemd-run --user --scope -p Delegate=yes -- cordon ...";

    private final DetectionView host;
    private final Path top;
    private final Optional<Path> own;

    public UnifiedDetection(DetectionView host, CgroupMount mount, Optional<Path> own) {
        this.host = host;
        this.top = host.at(mount.point());
        this.own = own;
    }

    public CgroupSupport decide() {
        Optional<Path> unit = own.map(this::unit).filter(this::mayUse).filter(this::alone);
        if (unit.filter(host.delegated()).isPresent()) {
            return place(unit.get(), Placement.DELEGATED);
        }
        return host.uid() == 0 ? asRoot(unit) : asUser(unit);
    }

    private CgroupSupport asRoot(Optional<Path> unit) {
        if (!mayUse(top)) {
            return new None(
                    "the cgroup2 tree at " + top + " is read-only here",
                    "start the container with a writable cgroup tree of its own");
        }
        // The real top has no cgroup.events. In a container's cgroup namespace the top is the container's own group.
        if (Files.exists(top.resolve("cgroup.events"))) {
            boolean ours = unit.filter(top::equals).isPresent();
            return place(top, ours ? Placement.DELEGATED : Placement.SHARED);
        }
        return place(top, Files.exists(host.at("/run/systemd/system")) ? Placement.SHARED : Placement.TOP);
    }

    private CgroupSupport asUser(Optional<Path> unit) {
        Optional<Path> highest = own.filter(this::mayUse).map(this::highestUsable);
        if (highest.isEmpty()) {
            return new None(
                    "the cgroup of this process (" + own.map(Path::toString).orElse("outside of the mounted tree")
                            + ") is not delegated to this user",
                    DELEGATE);
        }
        if (unit.equals(highest)) {
            return place(highest.get(), Placement.DELEGATED);
        }
        return place(highest.get(), Placement.SHARED);
    }

    private CgroupSupport place(Path home, Placement placement) {
        // In a shared place only what its owner has switched on for children; elsewhere we switch it on.
        String file = placement == Placement.SHARED ? "cgroup.subtree_control" : "cgroup.controllers";
        Set<CgroupController> controllers = CgroupController.among(words(home.resolve(file)), CgroupController.OF_V2);
        if (controllers.isEmpty()) {
            return new None(
                    "no controller is handed down by " + home,
                    placement == Placement.SHARED
                            ? DELEGATE
                            : "set Delegate=cpu memory pids io for the unit, or enable the controllers in its parents");
        }
        return new Unified(home, own.orElse(top), placement, controllers);
    }

    /** Our unit: our own cgroup, or its parent once we have moved into the leaf. */
    private Path unit(Path cgroup) {
        Path parent = cgroup.getParent();
        if (parent == null || cgroup.equals(top) || !cgroup.endsWith(CgroupSupport.CONTROL)) {
            return cgroup;
        }
        return parent;
    }

    /** Whether no process of somebody else is in the way of switching controllers on. */
    private boolean alone(Path unit) {
        List<String> inside = words(unit.resolve("cgroup.procs"));
        return inside.isEmpty() || inside.equals(List.of(host.pid()));
    }

    private Path highestUsable(Path cgroup) {
        Path highest = cgroup;
        for (Path up = cgroup; up != null && up.startsWith(top) && mayUse(up); up = up.getParent()) {
            highest = up;
        }
        return highest;
    }

    private boolean mayUse(Path cgroup) {
        return host.canWrite(cgroup)
                && host.canWrite(cgroup.resolve("cgroup.procs"))
                && host.canWrite(cgroup.resolve("cgroup.subtree_control"));
    }

    /** The words of a file, none when it is not there. */
    public static List<String> words(Path file) {
        return CgroupFile.readIfThere(file)
                .map(text -> List.of(text.strip().split("\\s+", -1)))
                .filter(words -> !words.getFirst().isEmpty())
                .orElse(List.of());
    }
}
