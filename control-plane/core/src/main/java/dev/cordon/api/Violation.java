package dev.cordon.api;

/**
 * A system call in the tripwire set that a job tried; it was refused.
 *
 * @param syscall its name, or its number where the name is unknown
 * @param pid     the process, as the host saw it the last time
 * @param process the process's own name for itself: hostile text
 * @param count   how often this process tried it
 * @param killed  whether the job was killed for it
 */
public record Violation(String syscall, int pid, String process, long count, boolean killed) {
    /** Checks the count. */
    public Violation {
        if (count < 1) {
            throw new IllegalArgumentException("a violation was seen at least once, not " + count + " times");
        }
    }
}
