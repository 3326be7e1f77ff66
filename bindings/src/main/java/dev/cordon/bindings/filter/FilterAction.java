package dev.cordon.bindings.filter;

/** What a filter does with a system call. */
public sealed interface FilterAction {
    /** Lets it through. */
    record Allow() implements FilterAction {}

    /**
     * Refuses it with an error number.
     *
     * @param errno what the caller sees, 1 to 4095
     */
    record Errno(int errno) implements FilterAction {
        /** Checks the range: above 4095 a result is not an error any more. */
        public Errno {
            if (errno < 1 || errno > 4095) {
                throw new IllegalArgumentException("errno " + errno + " is outside 1 to 4095");
            }
        }
    }

    /** Kills the whole process with SIGSYS. */
    record KillProcess() implements FilterAction {}

    /** Kills the thread. */
    record KillThread() implements FilterAction {}

    /** Raises SIGSYS, which the program may catch. */
    record Trap() implements FilterAction {}

    /** Asks the supervisor, which answers in the kernel's place. */
    record Notify() implements FilterAction {}

    /** Lets it through and writes a line into the kernel's log. */
    record Log() implements FilterAction {}
}
