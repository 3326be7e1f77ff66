package dev.cordon.job.limit;

import java.math.BigDecimal;

/** A plain decimal number and what stands behind it. No sign, no exponent, no digit grouping: those are how limits get misread. */
record DecimalQuantity(BigDecimal number, String unit) {
    /** Longer texts are not amounts; the cap also bounds the work of {@link BigDecimal}. */
    private static final int MAX_LENGTH = 40;

    static DecimalQuantity parse(String text) {
        String trimmed = text.strip();
        int end = 0;
        int points = 0;
        while (end < trimmed.length() && isPart(trimmed.charAt(end))) {
            points += trimmed.charAt(end) == '.' ? 1 : 0;
            end++;
        }
        boolean wellFormed = end > 0
                && end <= MAX_LENGTH
                && points <= 1
                && Character.isDigit(trimmed.charAt(0))
                && Character.isDigit(trimmed.charAt(end - 1));
        if (!wellFormed) {
            throw InvalidText.of(text, "is not a plain positive number");
        }
        return new DecimalQuantity(
                new BigDecimal(trimmed.substring(0, end)),
                trimmed.substring(end).strip());
    }

    private static boolean isPart(char c) {
        return c == '.' || (c >= '0' && c <= '9');
    }

    static String shorten(String text) {
        return text.length() <= 2 * MAX_LENGTH ? text : text.substring(0, 2 * MAX_LENGTH) + "...";
    }
}
