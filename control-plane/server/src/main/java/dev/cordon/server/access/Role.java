package dev.cordon.server.access;

import java.util.Locale;

/** How far a caller may go; each role includes the ones before it. */
public enum Role {
    /** Look at one's own jobs and sandboxes, and at the service. */
    READ,
    /** Run jobs and use sandboxes. */
    SUBMIT,
    /** Everything, of every owner: tokens, audit, policy. */
    ADMIN;

    /** Whether this role suffices where the other one is asked for. */
    public boolean includes(Role asked) {
        return compareTo(asked) >= 0;
    }

    /** The name in JSON and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a {@link #label()}.
     *
     * @throws IllegalArgumentException when the text names no role; the message lists them
     */
    public static Role parse(String text) {
        for (Role role : values()) {
            if (role.label().equals(text)) {
                return role;
            }
        }
        throw new IllegalArgumentException(
                "'" + text.replaceAll("[^ -~]", "?") + "' is not a role; one of: read, submit, admin");
    }
}
