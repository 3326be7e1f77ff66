package dev.cordon.profile;

import dev.cordon.bindings.Compare;
import dev.cordon.bindings.Operator;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls by their arguments: some bits of some arguments have given values, all others are free. Every comparison of a profile is a union of
 * cubes, cubes can be cut out of each other exactly, and each is one rule of libseccomp.
 */
final class Cube {
    /** A system call has six arguments. */
    static final int ARGUMENTS = 6;

    /** All calls, whatever their arguments. */
    static final Cube ALL = new Cube(new long[ARGUMENTS], new long[ARGUMENTS]);

    private final long[] masks;
    private final long[] values;

    private Cube(long[] masks, long[] values) {
        this.masks = masks;
        this.values = values;
    }

    /** Calls whose argument has this value in the bits under the mask. */
    static Cube of(int index, long mask, long value) {
        long[] masks = new long[ARGUMENTS];
        long[] values = new long[ARGUMENTS];
        masks[index] = mask;
        values[index] = value & mask;
        return new Cube(masks, values);
    }

    /** Calls that are in both; the two must have one in common. */
    Cube and(Cube other) {
        long[] bothMasks = new long[ARGUMENTS];
        long[] bothValues = new long[ARGUMENTS];
        for (int i = 0; i < ARGUMENTS; i++) {
            bothMasks[i] = masks[i] | other.masks[i];
            bothValues[i] = values[i] | other.values[i];
        }
        return new Cube(bothMasks, bothValues);
    }

    /** The bits of an argument that have given values. */
    long mask(int index) {
        return masks[index];
    }

    boolean isAll() {
        for (long mask : masks) {
            if (mask != 0) {
                return false;
            }
        }
        return true;
    }

    boolean contains(long... arguments) {
        for (int i = 0; i < ARGUMENTS; i++) {
            long argument = i < arguments.length ? arguments[i] : 0;
            if ((argument & masks[i]) != values[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether some call is in both. */
    boolean meets(Cube other) {
        for (int i = 0; i < ARGUMENTS; i++) {
            if (((values[i] ^ other.values[i]) & masks[i] & other.masks[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The calls of this cube that are not in the other, as cubes that have none in common. */
    List<Cube> minus(Cube other) {
        if (!meets(other)) {
            return List.of(this);
        }
        List<Cube> rest = new ArrayList<>();
        Cube agreeing = this;
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
    static List<Cube> minus(List<Cube> from, List<Cube> cut) {
        List<Cube> rest = from;
        for (Cube other : cut) {
            List<Cube> next = new ArrayList<>();
            for (Cube cube : rest) {
                next.addAll(cube.minus(other));
            }
            TooManyCases.check(next.size());
            rest = next;
        }
        return rest;
    }

    /** The conditions of a libseccomp rule for exactly these calls. */
    List<Compare> comparisons() {
        List<Compare> comparisons = new ArrayList<>();
        for (int i = 0; i < ARGUMENTS; i++) {
            if (masks[i] == -1) {
                comparisons.add(new Compare(i, Operator.EQ, values[i], 0));
            } else if (masks[i] != 0) {
                comparisons.add(new Compare(i, Operator.MASKED_EQ, masks[i], values[i]));
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
