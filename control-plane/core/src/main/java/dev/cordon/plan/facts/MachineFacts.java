package dev.cordon.plan.facts;

import dev.cordon.plan.planner.HostImage;
import dev.cordon.result.Acceleration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a plan needs to know of the machines of this host.
 *
 * @param image            the name of the root image
 * @param entries          the paths of {@link HostImage#SYSTEM}, and of its configuration and data, that the image has
 * @param acceleration     what machines have here
 * @param reason           why they have no more; empty when they are accelerated
 * @param emulationAllowed whether the operator allows machines that are only emulated
 * @param processors       the host's
 */
public record MachineFacts(
        String image,
        SortedMap<String, HostEntry> entries,
        Acceleration acceleration,
        String reason,
        boolean emulationAllowed,
        int processors) {
    /** Copies the map. */
    public MachineFacts {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }
}
