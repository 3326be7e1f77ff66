package dev.cordon.result;

/** What the default profile does with a system call. */
public enum DefaultAnswer {
    /** Lets it through. */
    ALLOWED,
    /** Answers with an error. */
    REFUSED,
    /** Answers with an error and reports it: no honest job comes near it. */
    TRIPWIRE,
    /** Answers that the kernel does not know it, so that libc does the same in another way. */
    UNKNOWN
}
