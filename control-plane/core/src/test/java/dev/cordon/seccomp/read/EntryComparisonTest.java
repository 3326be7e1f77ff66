package dev.cordon.seccomp.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.filter.ComparisonOperator;
import dev.cordon.seccomp.ArgumentCube;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Comparisons taken apart into masks mean what they say. */
class EntryComparisonTest {
    private static final int ROUNDS = 20_000;

    @ParameterizedTest
    @EnumSource(ComparisonOperator.class)
    void masksHoldWhereTheComparisonHolds(ComparisonOperator operator) {
        Random random = new Random(operator.name().hashCode());
        for (int bits : new int[] {16, 32, 64}) {
            long width = bits == 64 ? -1 : (1L << bits) - 1;
            for (int round = 0; round < ROUNDS; round++) {
                long value = number(random, width);
                long valueTwo = number(random, value);
                long argument = near(random, operator == ComparisonOperator.MASKED_EQ ? valueTwo : value)
                        ^ (random.nextLong() & ~width);
                boolean held = new EntryComparison(2, operator, value, valueTwo)
                        .cubes(bits).stream().anyMatch(cube -> cube.contains(0, 0, argument));
                assertThat(held)
                        .as("%x %s %x %x, %d bits", argument, operator, value, valueTwo, bits)
                        .isEqualTo(holds(operator, argument & width, value, valueTwo));
            }
        }
    }

    @Test
    void edges() {
        assertThat(cubes(ComparisonOperator.GE, 0)).singleElement().matches(ArgumentCube::isAll);
        assertThat(cubes(ComparisonOperator.LE, 0xffffffffL)).singleElement().matches(ArgumentCube::isAll);
        assertThat(cubes(ComparisonOperator.LT, 0)).isEmpty();
        assertThat(cubes(ComparisonOperator.GT, 0xffffffffL)).isEmpty();
        assertThat(cubes(ComparisonOperator.NE, 5)).hasSize(32);
    }

    @Test
    void valuesThatNoArgumentCanHave() {
        assertThat(new EntryComparison(0, ComparisonOperator.EQ, 1L << 32, 0).misfit(32))
                .isPresent();
        assertThat(new EntryComparison(0, ComparisonOperator.EQ, 1L << 32, 0).misfit(64))
                .isEmpty();
        assertThat(new EntryComparison(0, ComparisonOperator.EQ, -1, 0).misfit(32))
                .as("a negative int")
                .isEmpty();
        assertThat(new EntryComparison(0, ComparisonOperator.EQ, 0x10000, 0).misfit(16))
                .isPresent();
        assertThat(new EntryComparison(0, ComparisonOperator.MASKED_EQ, -1, 40).misfit(32))
                .isEmpty();
        assertThat(new EntryComparison(0, ComparisonOperator.MASKED_EQ, -1, 1L << 40).misfit(32))
                .isPresent();
    }

    private static List<ArgumentCube> cubes(ComparisonOperator operator, long value) {
        return new EntryComparison(0, operator, value, 0).cubes(32);
    }

    private static boolean holds(ComparisonOperator operator, long argument, long value, long valueTwo) {
        int order = Long.compareUnsigned(argument, value);
        return switch (operator) {
            case NE -> order != 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case EQ -> order == 0;
            case GE -> order >= 0;
            case GT -> order > 0;
            case MASKED_EQ -> (argument & value) == (valueTwo & value);
        };
    }

    private static long number(Random random, long width) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong() & width;
            case 1 -> random.nextInt(64) & width;
            case 2 -> width;
            default -> (1L << random.nextInt(64)) & width;
        };
    }

    private static long near(Random random, long value) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> value;
            case 2 -> value + random.nextInt(5) - 2;
            default -> value ^ (1L << random.nextInt(64));
        };
    }
}
