package dev.cordon.plan.facts;

import dev.cordon.result.Acceleration;

/**
 * What a plan needs to know of the machines of this host.
 *
 * @param image            the name of the root image
 * @param root             what is known of that image
 * @param acceleration     what machines have here
 * @param reason           why they have no more; empty when they are accelerated
 * @param emulationAllowed whether the operator allows machines that are only emulated
 * @param processors       the host's
 */
public record MachineFacts(
        String image,
        ImageRoot root,
        Acceleration acceleration,
        String reason,
        boolean emulationAllowed,
        int processors) {}
