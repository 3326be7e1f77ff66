package dev.cordon.policy;

import java.util.Locale;

/** What raises a job's risk, and by how many points unless the policy weighs it otherwise. */
public enum RiskSignal {
    /** The caller says that the code is a stranger's. */
    UNTRUSTED(35),
    /** Nobody said how far the code can be trusted. */
    UNSPECIFIED_TRUST(5),
    /** The policy has a list of owners, and this one is not on it. */
    UNKNOWN_OWNER(15),
    /** The job asks for the network. */
    NETWORK(20),
    /** A program or a shared object is among the files that the job brings. */
    NATIVE_BINARY(25),
    /** The code hides what it does: long encoded blobs that it decodes or evaluates. */
    OBFUSCATED(20),
    /** More code than a person writes. */
    LARGE_CODE(10),
    /** A filter of system calls that is the caller's own. */
    SYSTEM_CALLS(25),
    /** Jobs of this owner tripped wires lately. */
    RECENT_VIOLATIONS(20),
    /** The code has one of the policy's patterns in it. Advisory: a pattern is not a boundary. */
    PATTERN(20),
    /** The job may write a directory of the host. */
    WRITABLE_MOUNT(10);

    private final int points;

    RiskSignal(int points) {
        this.points = points;
    }

    /** The name in policies and in JSON. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The weight unless the policy has another one. */
    public int points() {
        return points;
    }
}
