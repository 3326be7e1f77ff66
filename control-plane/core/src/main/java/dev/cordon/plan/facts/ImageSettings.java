package dev.cordon.plan.facts;

import dev.cordon.plan.CommandDefaults;

/**
 * What an image says of itself.
 *
 * @param defaults what its commands have
 * @param users    its /etc/passwd; empty when it has none
 * @param groups   its /etc/group; empty when it has none
 */
public record ImageSettings(CommandDefaults defaults, String users, String groups) {
    /** Says nothing. */
    public static final ImageSettings NONE = new ImageSettings(CommandDefaults.NONE, "", "");
}
