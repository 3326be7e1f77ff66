package dev.cordon.bench;

/**
 * What a row has to reach.
 *
 * @param value  the number
 * @param sense  on which side of it
 * @param ratio  whether it is about the ratio to the baseline; else about the value itself
 */
public record Bar(double value, Sense sense, boolean ratio) {
    /** The good side. */
    public enum Sense {
        /** The less the better. */
        AT_MOST,
        /** The more the better. */
        AT_LEAST
    }

    static Bar atMost(double ratio) {
        return new Bar(ratio, Sense.AT_MOST, true);
    }

    static Bar atLeast(double ratio) {
        return new Bar(ratio, Sense.AT_LEAST, true);
    }

    static Bar valueAtMost(double value) {
        return new Bar(value, Sense.AT_MOST, false);
    }

    boolean metBy(double measured) {
        return sense == Sense.AT_MOST ? measured <= value : measured >= value;
    }
}
