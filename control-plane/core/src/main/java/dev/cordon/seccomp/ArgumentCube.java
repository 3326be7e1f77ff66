package dev.cordon.seccomp;

import dev.cordon.bindings.filter.ArgumentComparison;
import dev.cordon.bindings.filter.ComparisonOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls by their arguments: some bits of some arguments have given values, all others are free. Every comparison of a profile is a union of
 * cubes, cubes can be cut out of each other exactly, and each is one rule of libseccomp.
 */
public final class ArgumentCube {
    /** A system call has six arguments. */
    public static final int ARGUMENTS = 6;

    /** All calls, whatever their arguments. */
    public static final ArgumentCube ALL = new ArgumentCube(new long[ARGUMENTS], new long[ARGUMENTS]);

    private final long[] masks;
    private final long[] values;

    private ArgumentCube(long[] masks, long[] values) {
        this.masks = masks;
        this.values = values;
    }

    /** Calls whose argument has this value in the bits under the mask. */
    public static ArgumentCube of(int index, long mask, long value) {
        long[] masks = new long[ARGUMENTS];
        long[] values = new long[ARGUMENTS];
        masks[index] = mask;
        values[index] = value & mask;
        return new ArgumentCube(masks, values);
    }

    /** Calls that are in both; the two must have one in common. */
    public ArgumentCube and(ArgumentCube other) {
        long[] bothMasks = new long[ARGUMENTS];
        long[] bothValues = new long[ARGUMENTS];
        for (int i = 0; i < ARGUMENTS; i++) {
            bothMasks[i] = masks[i] | other.masks[i];
            bothValues[i] = values[i] | other.values[i];
        }
        return new ArgumentCube(bothMasks, bothValues);
    }

    /** The bits of an argument that have given values. */
    long mask(int index) {
        return masks[index];
    }

    public boolean isAll() {
        for (long mask : masks) {
            if (mask != 0) {
                return false;
            }
        }
        return true;
    }

    public boolean contains(long... arguments) {
        for (int i = 0; i < ARGUMENTS; i++) {
            long argument = i < arguments.length ? arguments[i] : 0;
            if ((argument & masks[i]) != values[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether some call is in both. */
    boolean meets(ArgumentCube other) {
        for (int i = 0; i < ARGUMENTS; i++) {
            if (((values[i] ^ other.values[i]) & masks[i] & other.masks[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The calls of this cube that are not in the other, as cubes that have none in common. */
    List<ArgumentCube> minus(ArgumentCube other) {
        if (!meets(other)) {
            return List.of(this);
        }
        List<ArgumentCube> rest = new ArrayList<>();
        ArgumentCube agreeing = this;
        for (int i = 0; i < ARGUMENTS; i++) {
            for (long open = other.masks[i] & ~masks[i]; open != 0; open &= ~Long.highestOneBit(open)) {
                long bit = Long.highestOneBit(open);
                rest.add(agreeing.and(of(i, bit, ~other.values[i])));
                agreeing = agreeing.and(of(i, bit, other.values[i]));
            }
        }
        return rest;
    }

    /**
     * What is left of some cubes when others are cut out of them.
     *
     * @throws TooManyCases when it would take more rules than any filter holds
     */
    public static List<ArgumentCube> minus(List<ArgumentCube> from, List<ArgumentCube> cut) {
        List<ArgumentCube> rest = from;
        for (ArgumentCube other : cut) {
            List<ArgumentCube> next = new ArrayList<>();
            for (ArgumentCube cube : rest) {
                next.addAll(cube.minus(other));
            }
            TooManyCases.check(next.size());
            rest = next;
        }
        return rest;
    }

    /** The conditions of a libseccomp rule for exactly these calls. */
    public List<ArgumentComparison> comparisons() {
        List<ArgumentComparison> comparisons = new ArrayList<>();
        for (int i = 0; i < ARGUMENTS; i++) {
            if (masks[i] == -1) {
                comparisons.add(new ArgumentComparison(i, ComparisonOperator.EQ, values[i], 0));
            } else if (masks[i] != 0) {
                comparisons.add(new ArgumentComparison(i, ComparisonOperator.MASKED_EQ, masks[i], values[i]));
            }
        }
        return comparisons;
    }

    @Override
    public String toString() {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < ARGUMENTS; i++) {
            if (masks[i] != 0) {
                shown.append(shown.isEmpty() ? "" : ", ")
                        .append("argument ")
                        .append(i)
                        .append(masks[i] == -1 ? "" : " & 0x" + Long.toHexString(masks[i]))
                        .append(" = 0x")
                        .append(Long.toHexString(values[i]));
            }
        }
        return shown.isEmpty() ? "any arguments" : shown.toString();
    }
}
