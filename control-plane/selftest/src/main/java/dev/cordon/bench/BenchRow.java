package dev.cordon.bench;

import java.util.OptionalDouble;

/**
 * One promise and what was measured.
 *
 * @param name         what was measured
 * @param unit         of both numbers
 * @param value        of Cordon; absent when it could not be measured
 * @param baselineName what it is compared with; empty when the bar is a number of its own
 * @param baseline     of that; absent when there is none, or when it is not on this host
 * @param bar          what was promised
 * @param note         how it was measured, or why it was not
 */
public record BenchRow(
        String name,
        String unit,
        OptionalDouble value,
        String baselineName,
        OptionalDouble baseline,
        PromisedBar bar,
        String note) {
    /** Cordon's number as a multiple of the baseline. */
    public OptionalDouble ratio() {
        return value.isPresent() && baseline.isPresent() && baseline.getAsDouble() > 0
                ? OptionalDouble.of(value.getAsDouble() / baseline.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Whether the promise is kept here and now; a row that could not be measured keeps none. */
    public boolean met() {
        OptionalDouble measured = bar.ratio() ? ratio() : value;
        return measured.isPresent() && bar.metBy(measured.getAsDouble());
    }

    /** Whether there is anything to judge. */
    public boolean measured() {
        return (bar.ratio() ? ratio() : value).isPresent();
    }
}
