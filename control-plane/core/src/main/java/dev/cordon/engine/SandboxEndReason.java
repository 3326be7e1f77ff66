package dev.cordon.engine;

/** Why a sandbox ended. */
public enum SandboxEndReason {
    /** Its owner closed it. */
    CLOSED("was closed"),
    /** The time to live that it was opened with is over. */
    TIME_TO_LIVE("reached its time to live"),
    /** Nothing was done with it for the idle time that it was opened with. */
    IDLE("was idle for the time that it was opened with"),
    /** It wrote more to a directory of the host than its disk limit. */
    DISK_LIMIT("wrote more to a directory of the host than its disk limit"),
    /** It ran out of memory, and all of it was killed. */
    OUT_OF_MEMORY("ran out of memory, and all of it was killed"),
    /** A command was killed for a refused system call, and the sandbox with it. */
    VIOLATION("was ended for a refused system call"),
    /** It could not be made, or its supervisor or init were killed from outside. */
    FAILED("failed: its supervisor or its init ended, or it could not be made");

    private final String text;

    SandboxEndReason(String text) {
        this.text = text;
    }

    /** What happened, following the words "the sandbox". */
    public String text() {
        return text;
    }
}
