package dev.cordon.cgroup;

import dev.cordon.cgroup.host.CgroupHost;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a host offers for limits: found by {@link CgroupHost#detect}, without having changed anything. */
public sealed interface CgroupSupport {

    /** Why a v2 directory is Cordon's to work below, and what it may do there besides making {@code cordon}. */
    enum Placement {
        /**
         * Our own unit, delegated to us, in which we are alone. We move our own process into the leaf {@code control}
         * and switch controllers on, because a cgroup with processes can't hand controllers to its children.
         */
        DELEGATED,
        /** The top of the tree, as root on a host without systemd. Controllers that are off are switched on there. */
        TOP,
        /** A directory that somebody else manages. Only the controllers that are on there already are used. */
        SHARED
    }

    /**
     * All controllers are in the v2 hierarchy.
     *
     * @param home the directory below which {@code cordon} is made
     * @param own the cgroup that this process sits in
     * @param placement what kind of place that is
     * @param controllers what can be limited below home
     */
    record Unified(Path home, Path own, Placement placement, Set<CgroupController> controllers)
            implements CgroupSupport {
        /** Copies the set. */
        public Unified {
            if (controllers.isEmpty()) {
                throw new IllegalArgumentException("controllers: a place without any holds no limit");
            }
            controllers = Collections.unmodifiableSet(EnumSet.copyOf(controllers));
        }

        public Path base() {
            return home.resolve(BASE);
        }
    }

    /**
     * Controllers are in v1 hierarchies. Jobs are placed below {@code <hierarchy>/cordon}, at the top of what is
     * mounted: limits of the cgroup that the control plane itself sits in do not hold for them, their own do.
     *
     * @param hierarchies where each controller's hierarchy is mounted; several may share one
     * @param unified the v2 tree of a hybrid host: killing, freezing and CPU time, without controllers
     */
    record Legacy(Map<CgroupController, Path> hierarchies, Optional<Path> unified) implements CgroupSupport {
        /** Copies the map. */
        public Legacy {
            Map<CgroupController, Path> copy = new EnumMap<>(CgroupController.class);
            copy.putAll(hierarchies);
            hierarchies = Collections.unmodifiableMap(copy);
        }
    }

    /**
     * Nothing that this process may use.
     *
     * @param reason what was found instead
     * @param remedy what would make limits possible
     */
    record None(String reason, String remedy) implements CgroupSupport {}

    /** The directory that Cordon makes below a home or a hierarchy. */
    String BASE = "cordon";

    /** The leaf of a delegated unit that the control plane itself moves into. */
    String CONTROL = "control";
}
