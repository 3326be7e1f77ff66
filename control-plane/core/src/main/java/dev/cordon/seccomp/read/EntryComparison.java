package dev.cordon.seccomp.read;

import dev.cordon.bindings.filter.ComparisonOperator;
import dev.cordon.seccomp.ArgumentCube;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One comparison of a profile's entry, over the bits that the kernel looks at ({@link ArgumentWidths}). What lies above them is rubbish to
 * the kernel and free to the filter, in rules that allow and in rules that refuse. How each operator is read, for an argument of 32 bits:
 *
 * <ul>
 *   <li>EQ v: the lower half is v, {@code MASKED_EQ 0xffffffff v}
 *   <li>MASKED_EQ m v: the bits of m in the lower half are those of v; the upper half of m is dropped
 *   <li>NE, LT, LE, GT, GE v: the lower half, as an unsigned number, compares so; libseccomp would compare 64 bits, so that the range is
 *       taken apart into masks: one for each bit where a number can part from v
 * </ul>
 *
 * A value above the argument's width is an error, unless it is a negative number that was extended to 64 bits.
 *
 * @param index which argument
 * @param operator how it is compared
 * @param value with what; the mask of MASKED_EQ
 * @param valueTwo what MASKED_EQ compares with
 */
record EntryComparison(int index, ComparisonOperator operator, long value, long valueTwo) {

    /** Why this comparison can't be meant for an argument of so many bits. */
    Optional<String> misfit(int bits) {
        boolean masked = operator == ComparisonOperator.MASKED_EQ;
        long compared = masked ? valueTwo : value;
        if (bits == 64 || fits(compared, bits)) {
            return Optional.empty();
        }
        return Optional.of("the kernel takes this argument as " + bits
                + " bits, so that it can never be compared with 0x" + Long.toHexString(compared));
    }

    private static boolean fits(long compared, int bits) {
        return compared >>> bits == 0 || compared >> (bits - 1) == -1;
    }

    /** The calls for which it holds. */
    List<ArgumentCube> cubes(int bits) {
        long width = bits == 64 ? -1 : (1L << bits) - 1;
        long limit = value & width;
        return switch (operator) {
            case EQ -> List.of(ArgumentCube.of(index, width, limit));
            case MASKED_EQ -> List.of(ArgumentCube.of(index, limit, valueTwo));
            case NE -> {
                List<ArgumentCube> both = new ArrayList<>(below(limit, width));
                both.addAll(above(limit, width));
                yield both;
            }
            case LT -> below(limit, width);
            case LE -> limit == width ? List.of(ArgumentCube.ALL) : below(limit + 1, width);
            case GT -> above(limit, width);
            case GE -> limit == 0 ? List.of(ArgumentCube.ALL) : above(limit - 1, width);
        };
    }

    /** Smaller numbers agree with the limit down to a bit that is one there and zero here. */
    private List<ArgumentCube> below(long limit, long width) {
        return parting(limit, width, limit);
    }

    /** Greater numbers agree with the limit down to a bit that is zero there and one here. */
    private List<ArgumentCube> above(long limit, long width) {
        return parting(limit, width, ~limit & width);
    }

    private List<ArgumentCube> parting(long limit, long width, long where) {
        List<ArgumentCube> cubes = new ArrayList<>();
        for (long open = where; open != 0; open &= ~Long.highestOneBit(open)) {
            long bit = Long.highestOneBit(open);
            long prefix = width & -bit;
            cubes.add(ArgumentCube.of(index, prefix, limit ^ bit));
        }
        return cubes;
    }
}
