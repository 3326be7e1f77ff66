package dev.cordon.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.bindings.filter.ArgumentComparison;
import dev.cordon.bindings.filter.ComparisonOperator;
import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.filter.FilterRule;
import dev.cordon.bindings.filter.FilterSpec;
import dev.cordon.bindings.value.Errno;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SeccompLibraryTest {
    private final SeccompLibrary seccomp = NativeParts.load().seccomp();

    @Test
    void theVersionHasThreeNumbers() {
        assertThat(seccomp.version()).matches("[2-9]\\.\\d+\\.\\d+");
    }

    @Test
    void namesAndNumbers() {
        int number = seccomp.number("openat2").orElseThrow();
        assertThat(seccomp.name(number)).isEqualTo(Optional.of("openat2"));
        assertThat(seccomp.number("no_such_call")).isEqualTo(OptionalInt.empty());
        assertThat(seccomp.name(123456)).isEmpty();
    }

    @Test
    void namesOfOtherMachinesHaveNoNumber() {
        assertThat(seccomp.number("socketcall")).isEmpty();
    }

    @Test
    void compilesToInstructions() throws Exception {
        FilterRule masked = new FilterRule(
                new FilterAction.Allow(),
                seccomp.number("clone").orElseThrow(),
                List.of(new ArgumentComparison(0, ComparisonOperator.MASKED_EQ, 0x7e020000L, 0)));
        FilterRule notify = new FilterRule(
                new FilterAction.Notify(), seccomp.number("ptrace").orElseThrow(), List.of());
        FilterRule asDefault = new FilterRule(
                new FilterAction.Errno(Errno.ENOSYS), seccomp.number("bpf").orElseThrow(), List.of());
        byte[] small = seccomp.compile(new FilterSpec(
                new FilterAction.Errno(Errno.ENOSYS),
                new FilterAction.KillProcess(),
                List.of(masked, notify, asDefault)));
        byte[] empty = seccomp.compile(
                new FilterSpec(new FilterAction.Errno(Errno.ENOSYS), new FilterAction.KillProcess(), List.of()));
        assertThat(small.length % 8).isZero();
        assertThat(small.length).isGreaterThan(empty.length);
    }

    @Test
    void whatOneRuleCannotSayIsRefused() {
        ArgumentComparison first = new ArgumentComparison(0, ComparisonOperator.EQ, 1, 0);
        assertThatThrownBy(() -> new FilterRule(new FilterAction.Allow(), 1, List.of(first, first)))
                .hasMessageContaining("argument 0 is compared twice");
        assertThatThrownBy(() -> new ArgumentComparison(6, ComparisonOperator.EQ, 1, 0))
                .hasMessageContaining("outside 0 to 5");
        assertThatThrownBy(() -> new FilterAction.Errno(0)).hasMessageContaining("outside 1 to 4095");
    }
}
