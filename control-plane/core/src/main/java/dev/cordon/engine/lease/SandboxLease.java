package dev.cordon.engine.lease;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupUsage;

/** What one sandbox stands on, and what counts and stops it from outside. Given back once, after the supervisor is gone. */
public interface SandboxLease {
    /** What the sandbox has used so far; {@link CgroupUsage#UNKNOWN} where nothing counts or after {@link #release}. */
    CgroupUsage usage();

    /** The events of it alone, such as kills for memory; the rest may be empty. */
    default CgroupUsage events() {
        return usage();
    }

    /** Whether the sandbox can be charged for so many bytes more before its memory limit is reached; true where nobody can tell. */
    default boolean fits(long bytes) {
        return true;
    }

    /** Whether the buffers of its sockets have outgrown their part of the memory limit; false where they are part of it. */
    default boolean socketsOverflow() {
        return false;
    }

    /** Kills what is in the sandbox, when the supervisor does not. */
    void kill();

    /** Whether {@link #freeze} is possible. */
    boolean freezable();

    /** Stops every process of the sandbox where it is; returns when all have stopped. */
    void freeze() throws CgroupException;

    /** Lets them go on. */
    void thaw() throws CgroupException;

    /** Gives everything back; nothing happens the second time. */
    void release();
}
