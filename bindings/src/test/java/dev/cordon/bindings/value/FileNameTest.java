package dev.cordon.bindings.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"plain", "häßlich", "日本", "a b\n", "\uD83D\uDE00"})
    void wellFormedNamesAreThemselves(String name) {
        assertThat(FileName.decode(name.getBytes(StandardCharsets.UTF_8))).isEqualTo(name);
        assertThat(FileName.encode(name)).isEqualTo(name.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "61ff62", "c3", "c328", "eda080", "f0808080", "80bf", "f09f98", "edb2a9"})
    void anyBytesComeBack(String hex) {
        byte[] name = HexFormat.of().parseHex(hex);
        assertThat(FileName.encode(FileName.decode(name))).isEqualTo(name);
    }

    @Test
    void randomBytesComeBack() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            byte[] name = new byte[1 + random.nextInt(12)];
            for (int k = 0; k < name.length; k++) {
                name[k] = (byte) (1 + random.nextInt(255));
            }
            assertThat(FileName.encode(FileName.decode(name))).isEqualTo(name);
        }
    }

    @Test
    void whatStandsForNoNameIsRefused() {
        assertThatThrownBy(() -> FileName.encode("a\0b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FileName.encode("a\uD800")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FileName.encode("a\uDC41")).isInstanceOf(IllegalArgumentException.class);
    }
}
