package dev.cordon.seccomp;

import dev.cordon.bindings.filter.ArgumentComparison;
import dev.cordon.bindings.filter.ComparisonOperator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Arguments that try a call's rules: each rule met, missed by one bit, and met with rubbish in the upper half. */
public final class ArgumentSamples {
    private static final int SOME_CORNERS = 6;
    private static final int MIXTURES = 300;
    private static final long BIT_32 = 1L << 32;
    private static final long BIT_63 = 1L << 63;

    private ArgumentSamples() {}

    public static List<long[]> of(CallPolicy policy, long seed) {
        List<Set<Long>> values = new ArrayList<>();
        for (int i = 0; i < ArgumentCube.ARGUMENTS; i++) {
            values.add(new LinkedHashSet<>(List.of(0L)));
        }
        Set<List<Long>> corners = new LinkedHashSet<>();
        for (CallPolicy.Case each : policy.cases()) {
            Long[] corner = {0L, 0L, 0L, 0L, 0L, 0L};
            for (ArgumentComparison compare : each.cube().comparisons()) {
                boolean whole = compare.operator() == ComparisonOperator.EQ;
                long mask = whole ? -1 : compare.value();
                long value = whole ? compare.value() : compare.valueTwo();
                corner[compare.index()] = value;
                Set<Long> tried = values.get(compare.index());
                tried.addAll(List.of(value, value | BIT_32, value | BIT_63, value | ~mask, -1L, value + 1, value - 1));
                for (long open = mask; open != 0; open &= open - 1) {
                    tried.add(value ^ Long.lowestOneBit(open));
                }
            }
            corners.add(List.of(corner));
        }
        corners.add(List.of(0L, 0L, 0L, 0L, 0L, 0L));
        return combine(values, corners, new Random(seed));
    }

    /** Every corner, every value of each argument at some corners, and random mixtures. */
    private static List<long[]> combine(List<Set<Long>> values, Set<List<Long>> corners, Random random) {
        List<long[]> samples = new ArrayList<>();
        List<List<Long>> order = new ArrayList<>(corners);
        for (List<Long> corner : order) {
            samples.add(array(corner));
        }
        for (int round = 0; round < SOME_CORNERS; round++) {
            for (int i = 0; i < ArgumentCube.ARGUMENTS; i++) {
                for (long value : values.get(i)) {
                    long[] sample = array(order.get(random.nextInt(order.size())));
                    sample[i] = value;
                    samples.add(sample);
                }
            }
        }
        List<List<Long>> known = values.stream().map(List::copyOf).toList();
        for (int round = 0; round < MIXTURES; round++) {
            long[] sample = new long[ArgumentCube.ARGUMENTS];
            for (int i = 0; i < ArgumentCube.ARGUMENTS; i++) {
                sample[i] = random.nextInt(4) == 0
                        ? random.nextLong()
                        : known.get(i).get(random.nextInt(known.get(i).size()));
            }
            samples.add(sample);
        }
        return samples;
    }

    private static long[] array(List<Long> corner) {
        return corner.stream().mapToLong(Long::longValue).toArray();
    }
}
