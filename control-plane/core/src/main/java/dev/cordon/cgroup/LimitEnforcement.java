package dev.cordon.cgroup;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which limits the kernel holds for a job as a whole on this host.
 *
 * @param held the limits that are enforced; all others are not
 * @param reason why some are not; empty when all are
 * @param remedy what to do about it; empty when nothing
 */
public record LimitEnforcement(Set<WholeJobLimit> held, String reason, String remedy) {

    /** Copies the set. */
    public LimitEnforcement {
        held = Collections.unmodifiableSet(held.isEmpty() ? EnumSet.noneOf(WholeJobLimit.class) : EnumSet.copyOf(held));
    }

    /** Whether this limit holds. */
    public boolean holds(WholeJobLimit bound) {
        return held.contains(bound);
    }
}
