package dev.cordon.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.SeccompLibrary;
import dev.cordon.seccomp.read.ArgumentWidths;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The table of our own against libseccomp's. */
class SystemCallsTest {
    private static final int FAR_ABOVE_ANY_NUMBER = 2000;
    private static final int FIRST_PSEUDO_NUMBER = -10_001;
    private static final int LAST_PSEUDO_NUMBER = -10_400;

    @Test
    void libseccompKnowsNoCallThatWeDoNot() {
        SeccompLibrary seccomp = TestFilters.seccomp();
        Map<Integer, String> differing = new TreeMap<>();
        int known = 0;
        for (int number = 0; number < FAR_ABOVE_ANY_NUMBER; number++) {
            Optional<String> name = seccomp.name(number);
            known += name.isPresent() ? 1 : 0;
            if (name.isPresent() && !name.equals(SystemCalls.name(number))) {
                differing.put(number, name.get());
            }
        }
        assertThat(differing).isEmpty();
        assertThat(known).isGreaterThan(350);
    }

    @Test
    void namesOfOtherArchitecturesAreKnownAsSuch() {
        SeccompLibrary seccomp = TestFilters.seccomp();
        int known = 0;
        for (int number = FIRST_PSEUDO_NUMBER; number > LAST_PSEUDO_NUMBER; number--) {
            Optional<String> name = seccomp.name(number);
            if (name.isPresent() && SystemCalls.number(name.get()).isEmpty()) {
                assertThat(SystemCalls.isForeign(name.get())).as(name.get()).isTrue();
                known++;
            }
        }
        assertThat(known).isGreaterThan(50);
    }

    @Test
    void namesAndNumbersAreOneToOne() {
        assertThat(SystemCalls.all()).hasSize(385);
        SystemCalls.all().forEach((name, number) -> {
            assertThat(SystemCalls.name(number)).hasValue(name);
            assertThat(SystemCalls.isForeign(name)).as(name).isFalse();
        });
    }

    @Test
    void callsYoungerThanTheLibrary() {
        assertThat(SystemCalls.number("mseal")).hasValue(462);
        assertThat(SystemCalls.number("open_tree_attr")).hasValue(467);
        assertThat(SystemCalls.number("no_such_call")).isEqualTo(OptionalInt.empty());
    }

    @Test
    void widthsOfArguments() {
        assertThat(bits("socket", 0)).isEqualTo(32);
        assertThat(bits("ioctl", 1)).isEqualTo(32);
        assertThat(bits("ioctl", 2)).isEqualTo(64);
        assertThat(bits("openat", 2)).isEqualTo(32);
        assertThat(bits("openat", 3)).isEqualTo(16);
        assertThat(bits("ptrace", 0)).isEqualTo(64);
        assertThat(bits("mmap", 2)).isEqualTo(64);
        assertThat(bits("prctl", 0)).isEqualTo(32);
        assertThat(bits("prctl", 1)).isEqualTo(64);
    }

    private static int bits(String name, int index) {
        return ArgumentWidths.bits(SystemCalls.require(name), index);
    }
}
