package dev.cordon.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.generated.libc.LibcH;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One method handle calls all functions: none may take or return anything but integers and pointers, or more than six. */
class NativeLibraryTest {
    private static final Set<String> VARIADIC = Set.of("open", "openat", "fcntl", "syscall");

    @Test
    void everyGeneratedDescriptorFitsThroughTheDoor() throws Exception {
        NativeParts.load().seccomp();
        for (SymbolList list : SymbolList.values()) {
            for (String function : list.names("function")) {
                if (!VARIADIC.contains(function)) {
                    assertFits(function, (FunctionDescriptor)
                            list.header().getMethod(function + "$descriptor").invoke(null));
                }
            }
        }
        assertFits("open", LibcH.open.makeInvoker(ValueLayout.JAVA_INT).descriptor());
        assertFits("openat", LibcH.openat.makeInvoker(ValueLayout.JAVA_INT).descriptor());
        MemoryLayout[] three = {ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG};
        assertFits("syscall", LibcH.syscall.makeInvoker(three).descriptor());
        assertFits("fcntl", LibcH.fcntl.makeInvoker(ValueLayout.JAVA_INT).descriptor());
    }

    private static void assertFits(String function, FunctionDescriptor descriptor) {
        assertThat(descriptor.argumentLayouts())
                .as(function)
                .hasSizeLessThanOrEqualTo(6)
                .allMatch(NativeLibraryTest::isWord);
        assertThat(descriptor.returnLayout())
                .as(function)
                .matches(result -> result.map(NativeLibraryTest::isWord).orElse(true));
    }

    private static boolean isWord(MemoryLayout layout) {
        return layout instanceof AddressLayout
                || layout instanceof ValueLayout.OfInt
                || layout instanceof ValueLayout.OfLong;
    }
}
