package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelVersionTest {

    @Test
    void readsTheFirstTwoNumbersOfARelease() {
        assertThat(KernelVersion.parse("6.1.0-18-amd64")).contains(new KernelVersion(6, 1));
        assertThat(KernelVersion.parse("5.15.167.4-microsoft")).contains(new KernelVersion(5, 15));
        assertThat(KernelVersion.parse("7.0-rc1")).contains(new KernelVersion(7, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6", ".6", "six.one", "6.", "99999999999.1"})
    void knowsNothingOfOtherTexts(String release) {
        assertThat(KernelVersion.parse(release)).isEmpty();
    }

    @Test
    void comparesNumbersAndNotTexts() {
        assertThat(new KernelVersion(5, 14).atLeast(new KernelVersion(5, 9))).isTrue();
        assertThat(new KernelVersion(5, 9).atLeast(new KernelVersion(5, 14))).isFalse();
        assertThat(new KernelVersion(6, 0).atLeast(new KernelVersion(5, 14))).isTrue();
        assertThat(new KernelVersion(4, 19).atLeast(new KernelVersion(5, 14))).isFalse();
        assertThat(new KernelVersion(5, 14).atLeast(new KernelVersion(5, 14))).isTrue();
    }
}
