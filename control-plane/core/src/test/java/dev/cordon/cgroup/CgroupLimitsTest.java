package dev.cordon.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** THREATS D-12: no value means "unlimited". */
class CgroupLimitsTest {

    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 4096, Long.MAX_VALUE})
    void memoryOutOfRange(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CgroupLimits(bytes, 64, 1_000_000))
                .withMessageStartingWith("memory:");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE})
    void pidsOutOfRange(long pids) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CgroupLimits(64 * MIB, pids, 1_000_000))
                .withMessageStartingWith("pids:");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 9_999, Long.MAX_VALUE})
    void cpuOutOfRange(long millionths) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CgroupLimits(64 * MIB, 64, millionths))
                .withMessageStartingWith("cpu:");
    }

    @Test
    void jobWithAllIdsOfAHostAndItsInit() {
        assertThat(new CgroupLimits(64 * MIB, (1 << 22) + 1, 10_000).pids()).isEqualTo(1 << 22);
    }

    @Test
    void quotaIsPerPeriod() {
        assertThat(new CgroupLimits(64 * MIB, 64, 500_000).cpuQuotaMicros()).isEqualTo(50_000);
        assertThat(new CgroupLimits(64 * MIB, 64, 10_000).cpuQuotaMicros()).isEqualTo(1000);
    }

    @Test
    void deviceLimitAsTheKernelShowsIt() {
        IoLimit limit = new IoLimit(
                8, 0, OptionalLong.of(MIB), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.of(100));
        assertThat(limit.line()).isEqualTo("8:0 rbps=1048576 wbps=max riops=max wiops=100");
    }

    @Test
    void deviceLimitOfNothingIsRefused() {
        OptionalLong none = OptionalLong.empty();
        assertThatIllegalArgumentException().isThrownBy(() -> new IoLimit(8, 0, none, none, none, none));
        assertThatIllegalArgumentException().isThrownBy(() -> new IoLimit(8, 0, OptionalLong.of(0), none, none, none));
        assertThatIllegalArgumentException().isThrownBy(() -> new IoLimit(-1, 0, OptionalLong.of(1), none, none, none));
    }
}
