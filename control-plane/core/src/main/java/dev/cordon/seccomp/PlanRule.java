package dev.cordon.seccomp;

/**
 * What a plan needs of its filter beside the profile, because of how the jail is built. The rule is added to the profile whoever wrote it;
 * where the profile is stricter, the profile stays.
 */
public enum PlanRule {
    /**
     * The job writes to the host's files: no set-user-id and set-group-id modes, and no syncfs, which flushes a file system of the host's.
     * openat2 hides its mode from the filter behind a pointer, so that it answers ENOSYS, which libc and language runtimes know from older
     * kernels.
     */
    HOST_FILES("host-files"),

    /**
     * The job has no pid namespace of its own, so that tracing could reach other processes of its user, or the policy watches it: tracing is a
     * tripwire.
     */
    NO_TRACING("no-tracing");

    private final String suffix;

    PlanRule(String suffix) {
        this.suffix = suffix;
    }

    /** What the names of files with such filters have. */
    public String suffix() {
        return suffix;
    }
}
