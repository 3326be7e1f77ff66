package dev.cordon.bindings;

/**
 * One condition of a filter's rule.
 *
 * @param index which argument, 0 to 5
 * @param operator how it is compared
 * @param value with what; the mask of {@link Operator#MASKED_EQ}
 * @param valueTwo what the masked argument must be; unused by the other operators
 */
public record Compare(int index, Operator operator, long value, long valueTwo) {
    /** Checks the index. */
    public Compare {
        if (index < 0 || index > 5) {
            throw new IllegalArgumentException("argument index " + index + " is outside 0 to 5");
        }
    }
}
