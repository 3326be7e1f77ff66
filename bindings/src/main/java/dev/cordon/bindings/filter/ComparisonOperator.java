package dev.cordon.bindings.filter;

/** How a filter compares an argument of a system call; all comparisons are unsigned and of 64 bits. */
public enum ComparisonOperator {
    /** Not equal. */
    NE,
    /** Less than. */
    LT,
    /** Less than or equal. */
    LE,
    /** Equal. */
    EQ,
    /** Greater than or equal. */
    GE,
    /** Greater than. */
    GT,
    /** The bits under the mask (the first value) are equal to the second value. */
    MASKED_EQ
}
