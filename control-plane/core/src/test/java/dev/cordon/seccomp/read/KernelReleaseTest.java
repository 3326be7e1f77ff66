package dev.cordon.seccomp.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelReleaseTest {

    @Test
    void readsTheFirstTwoNumbersOfARelease() {
        assertThat(KernelRelease.of("6.1.0-18-amd64")).contains(new KernelRelease(6, 1));
        assertThat(KernelRelease.of("5.15.167.4-microsoft")).contains(new KernelRelease(5, 15));
        assertThat(KernelRelease.of("7.0-rc1")).contains(new KernelRelease(7, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6", ".6", "six.one", "6.", "99999999999.1"})
    void knowsNothingOfOtherTexts(String release) {
        assertThat(KernelRelease.of(release)).isEmpty();
    }

    @Test
    void comparesNumbersAndNotTexts() {
        assertThat(new KernelRelease(5, 14).atLeast(new KernelRelease(5, 9))).isTrue();
        assertThat(new KernelRelease(5, 9).atLeast(new KernelRelease(5, 14))).isFalse();
        assertThat(new KernelRelease(6, 0).atLeast(new KernelRelease(5, 14))).isTrue();
        assertThat(new KernelRelease(4, 19).atLeast(new KernelRelease(5, 14))).isFalse();
        assertThat(new KernelRelease(5, 14).atLeast(new KernelRelease(5, 14))).isTrue();
    }
}
