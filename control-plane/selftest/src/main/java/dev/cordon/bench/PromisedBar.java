package dev.cordon.bench;

/**
 * What a row has to reach.
 *
 * @param value  the number
 * @param sense  on which side of it
 * @param ratio  whether it is about the ratio to the baseline; else about the value itself
 */
public record PromisedBar(double value, Sense sense, boolean ratio) {
    /** The good side. */
    public enum Sense {
        /** The less the better. */
        AT_MOST,
        /** The more the better. */
        AT_LEAST
    }

    static PromisedBar atMost(double ratio) {
        return new PromisedBar(ratio, Sense.AT_MOST, true);
    }

    static PromisedBar atLeast(double ratio) {
        return new PromisedBar(ratio, Sense.AT_LEAST, true);
    }

    static PromisedBar valueAtMost(double value) {
        return new PromisedBar(value, Sense.AT_MOST, false);
    }

    boolean metBy(double measured) {
        return sense == Sense.AT_MOST ? measured <= value : measured >= value;
    }
}
