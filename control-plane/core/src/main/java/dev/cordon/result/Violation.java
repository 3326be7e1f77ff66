package dev.cordon.result;

/**
 * A system call in the tripwire set that a job tried; it was refused. Of a job that the policy watches also the last call of a burst, and
 * an attempt to reach the network by whatever call.
 *
 * @param syscall its name, or its number where the name is unknown; {@link #NETWORK} for an attempt to reach the network
 * @param pid     the process, as the host saw it the last time
 * @param process the process's own name for itself: hostile text
 * @param count   how often this process tried it
 * @param killed  whether the job was killed for it
 */
public record Violation(String syscall, int pid, String process, long count, boolean killed) {
    /** In place of a call's name: an attempt to reach the network. The kernel counts it and does not tell who it was. */
    public static final String NETWORK = "network";

    /** Checks the count. */
    public Violation {
        if (count < 1) {
            throw new IllegalArgumentException("a violation was seen at least once, not " + count + " times");
        }
    }
}
