package dev.cordon.job.limit;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as people write them: {@code 10s}, {@code 500ms}, {@code 1.5m}. The unit is never left out. */
public final class DurationFormat {
    private static final String REMEDY =
            "write a number and its unit (ns, us, ms, s, m, h, d), such as 500ms, 10s or 2m";
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000L);

    private DurationFormat() {}

    /**
     * Reads a number and its unit.
     *
     * @throws IllegalArgumentException when the text is not a duration, with the remedy in the message
     */
    public static Duration parse(String text) {
        DecimalQuantity quantity = DecimalQuantity.parse(text);
        BigDecimal nanos = quantity.number().multiply(BigDecimal.valueOf(nanosOf(quantity.unit(), text)));
        try {
            BigDecimal[] parts = nanos.divideAndRemainder(NANOS);
            return Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValueExact());
        } catch (ArithmeticException e) {
            throw InvalidText.of(text, "is not a whole number of nanoseconds that fits a clock");
        }
    }

    /** The shortest spelling that {@link #parse} reads back to the same duration; a negative one keeps its sign. */
    public static String format(Duration duration) {
        if (duration.isNegative()) {
            return "-" + format(duration.negated());
        }
        if (duration.toNanosPart() == 0) {
            return whole(duration.toSeconds());
        }
        if (duration.toNanosPart() % 1_000_000 == 0 && duration.toSeconds() < 10) {
            return duration.toMillis() + "ms";
        }
        return BigDecimal.valueOf(duration.toSeconds())
                        .add(BigDecimal.valueOf(duration.toNanosPart(), 9))
                        .stripTrailingZeros()
                        .toPlainString()
                + "s";
    }

    private static String whole(long seconds) {
        if (seconds != 0 && seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds != 0 && seconds % 3_600 == 0) {
            return seconds / 3_600 + "h";
        }
        return seconds > 60 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    private static long nanosOf(String unit, String text) {
        return switch (unit) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m", "min" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            case "d" -> 86_400_000_000_000L;
            default -> throw InvalidText.of(text, "is not a duration", REMEDY);
        };
    }
}
