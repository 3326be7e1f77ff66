package dev.cordon.bindings.filter;

/**
 * One condition of a filter's rule.
 *
 * @param index which argument, 0 to 5
 * @param operator how it is compared
 * @param value with what; the mask of {@link ComparisonOperator#MASKED_EQ}
 * @param valueTwo what the masked argument must be; unused by the other operators
 */
public record ArgumentComparison(int index, ComparisonOperator operator, long value, long valueTwo) {
    /** Checks the index. */
    public ArgumentComparison {
        if (index < 0 || index > 5) {
            throw new IllegalArgumentException("argument index " + index + " is outside 0 to 5");
        }
    }
}
