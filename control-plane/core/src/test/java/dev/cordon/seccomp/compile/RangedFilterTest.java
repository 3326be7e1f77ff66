package dev.cordon.seccomp.compile;

import static dev.cordon.seccomp.TestFilters.ALLOW;
import static dev.cordon.seccomp.TestFilters.ENOSYS;
import static dev.cordon.seccomp.TestFilters.EPERM;
import static dev.cordon.seccomp.TestFilters.KILL;
import static dev.cordon.seccomp.TestFilters.NOTIFY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.filter.ArgumentComparison;
import dev.cordon.bindings.filter.ComparisonOperator;
import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.filter.FilterRule;
import dev.cordon.bindings.filter.FilterSpec;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.seccomp.BpfInterpreter;
import dev.cordon.seccomp.TestFilters;
import dev.cordon.seccomp.read.Profiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A filter is made shorter, and answers every call as before. */
class RangedFilterTest {
    private static final List<FilterAction> ACTIONS =
            List.of(ALLOW, EPERM, ENOSYS, NOTIFY, KILL, new FilterAction.Trap());
    private static final int[] BORDERS = {
        0x3fffffff, 0x40000000, 0x40000001, -2, -1, Integer.MIN_VALUE, Integer.MAX_VALUE
    };
    private static final int NUMBERS = 470;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void answersAsTheFilterDidThatItWasMadeOf(long seed) throws ErrnoException {
        Random random = new Random(seed);
        byte[] program = TestFilters.seccomp().compile(randomRules(random));
        byte[] shorter = RangedFilter.of(program);
        assertThat(shorter.length).isLessThan(program.length);
        BpfInterpreter before = new BpfInterpreter(program);
        BpfInterpreter after = new BpfInterpreter(shorter);
        for (int number = 0; number < NUMBERS; number++) {
            for (int round = 0; round < 40; round++) {
                long[] arguments = random.longs(6, 0, 4)
                        .map(small -> random.nextInt(5) == 0 ? random.nextLong() : small)
                        .toArray();
                assertThat(after.verdict(number, arguments))
                        .as("number %d", number)
                        .isEqualTo(before.verdict(number, arguments));
            }
        }
        for (int number : BORDERS) {
            assertThat(after.verdict(number)).as("number %x", number).isEqualTo(before.verdict(number));
        }
        assertThat(after.verdictOn(BpfInterpreter.I386, 1)).isEqualTo(KILL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void shippedProfilesAreLoadedInHalfOfTheLength(String name) throws ErrnoException {
        int[] longest = new int[1];
        ProfileCompiler compiler = new ProfileCompiler(spec -> {
            byte[] program = TestFilters.seccomp().compile(spec);
            longest[0] = Math.max(longest[0], program.length / 8);
            return program;
        });
        int shorter = compiler.compile(Profiles.named(name)).initFilter().instructions();
        assertThat(shorter * 2).as("%d of %d", shorter, longest[0]).isLessThan(longest[0]);
    }

    @Test
    void leavesAloneWhatItDoesNotKnow() {
        byte[] returnsAtOnce = {0x06, 0, 0, 0, 0, 0, (byte) 0xff, 0x7f};
        assertThat(RangedFilter.of(returnsAtOnce)).isSameAs(returnsAtOnce);
        byte[] loadsTheNumberOnly = {0x20, 0, 0, 0, 0, 0, 0, 0, 0x06, 0, 0, 0, 0, 0, 0, 0};
        assertThat(RangedFilter.of(loadsTheNumberOnly)).isSameAs(loadsTheNumberOnly);
    }

    /** Runs of neighbours with one answer, and calls whose answer depends on one or two arguments. */
    private static FilterSpec randomRules(Random random) {
        List<FilterRule> rules = new ArrayList<>();
        FilterAction otherwise = ENOSYS;
        FilterAction current = ALLOW;
        for (int number = 0; number < NUMBERS - 10; number++) {
            if (random.nextInt(6) == 0) {
                current = ACTIONS.get(random.nextInt(ACTIONS.size()));
            }
            if (current.equals(otherwise)) {
                continue;
            }
            if (random.nextInt(10) > 0) {
                rules.add(new FilterRule(current, number, List.of()));
                continue;
            }
            for (int value = 0; value < 1 + random.nextInt(3); value++) {
                List<ArgumentComparison> conditions = new ArrayList<>();
                conditions.add(new ArgumentComparison(0, ComparisonOperator.EQ, value, 0));
                if (random.nextBoolean()) {
                    conditions.add(new ArgumentComparison(
                            1 + random.nextInt(5), ComparisonOperator.MASKED_EQ, 3, random.nextInt(4)));
                }
                rules.add(new FilterRule(current, number, conditions));
            }
        }
        return new FilterSpec(otherwise, KILL, rules);
    }
}
