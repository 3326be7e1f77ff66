package dev.cordon.job.limit;

import java.math.BigDecimal;

/**
 * A number of bytes, never negative. Multiples are binary: 1 KiB is 1024 bytes.
 *
 * @param bytes the size
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final String REMEDY = "write bytes or a binary multiple, such as 65536, 512K, 256M or 1GiB";

    /** Checks that the size is not negative. */
    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size is never negative, but this one is " + bytes);
        }
    }

    /** That many bytes. */
    public static ByteSize bytes(long count) {
        return new ByteSize(count);
    }

    /** That many times 1024 bytes. */
    public static ByteSize kib(long count) {
        return new ByteSize(Math.multiplyExact(count, 1L << 10));
    }

    /** That many times 1024 KiB. */
    public static ByteSize mib(long count) {
        return new ByteSize(Math.multiplyExact(count, 1L << 20));
    }

    /** That many times 1024 MiB. */
    public static ByteSize gib(long count) {
        return new ByteSize(Math.multiplyExact(count, 1L << 30));
    }

    /**
     * Reads {@code 65536}, {@code 512K}, {@code 1.5G}, {@code 256MiB}. The decimal spellings KB, MB and GB are refused, because half
     * of their readers expect 1000 and half 1024.
     *
     * @throws IllegalArgumentException when the text is not a size, with the remedy in the message
     */
    public static ByteSize parse(String text) {
        DecimalQuantity quantity = DecimalQuantity.parse(text);
        BigDecimal bytes = quantity.number().multiply(BigDecimal.valueOf(factor(quantity.unit(), text)));
        try {
            return new ByteSize(bytes.longValueExact());
        } catch (ArithmeticException e) {
            throw InvalidText.of(text, "is not a whole number of bytes below 8 EiB");
        }
    }

    private static long factor(String unit, String text) {
        return switch (unit) {
            case "", "B" -> 1L;
            case "K", "k", "KiB" -> 1L << 10;
            case "M", "m", "MiB" -> 1L << 20;
            case "G", "g", "GiB" -> 1L << 30;
            case "T", "t", "TiB" -> 1L << 40;
            default -> throw InvalidText.of(text, "is not a size", REMEDY);
        };
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }

    /** The largest unit that divides the size, such as {@code 256 MiB}. {@link #parse} reads it back. */
    @Override
    public String toString() {
        long amount = bytes;
        int unit = 0;
        while (amount != 0 && amount % 1024 == 0 && unit < UNITS.length - 1) {
            amount /= 1024;
            unit++;
        }
        return amount + " " + UNITS[unit];
    }
}
