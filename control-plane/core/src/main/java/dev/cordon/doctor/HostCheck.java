package dev.cordon.doctor;

import java.util.Objects;

/**
 * One thing that was looked at on the host.
 *
 * @param id a stable name, for scripts
 * @param status what it means for Cordon
 * @param found what is there
 * @param why what depends on it
 * @param remedy the command or setting that mends it; empty when nothing needs mending
 */
public record HostCheck(String id, Status status, String found, String why, String remedy) {

    /** How a check ended. */
    public enum Status {
        /** As it should be. */
        PASS,
        /** Worth knowing, neither good nor bad. */
        INFO,
        /** Jobs run, with a weakness that the remedy removes. */
        WARN,
        /** Something that jobs need is missing. */
        FAIL
    }

    /** Refuses a problem that names no remedy: a check without one helps nobody. */
    public HostCheck {
        Objects.requireNonNull(status);
        if (id.isEmpty() || found.isEmpty() || why.isEmpty()) {
            throw new IllegalArgumentException("a check needs an id, what was found and why it matters: " + id);
        }
        if (remedy.isEmpty() && (status == Status.WARN || status == Status.FAIL)) {
            throw new IllegalArgumentException("check " + id + " is " + status + " and names no remedy");
        }
    }
}
