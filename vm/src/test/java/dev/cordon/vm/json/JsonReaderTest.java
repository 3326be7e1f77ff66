package dev.cordon.vm.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one reader of JSON. */
final class JsonReaderTest {
    private static final JsonReader READER = new JsonReader(32, 200_000);

    private static @Nullable Object read(String text) throws IOException {
        return READER.read(text.getBytes(UTF_8));
    }

    @Test
    void readsWhatQemuSays() throws IOException {
        byte[] text = "{\"return\": {\"status\": \"running\", \"n\": [1, -2.5, true, null, \"\\u00e9\\n\"]}, \"id\": 7}"
                .getBytes(UTF_8);
        assertThat(READER.object(text)).containsEntry("id", 7L);
        assertThat(JsonReader.asObject(READER.object(text).get("return"))
                        .orElseThrow()
                        .get("n"))
                .hasToString("[1, -2.5, true, null, \u00e9\n]");
    }

    @Test
    void numbersKeepTheirValue() throws IOException {
        assertThat(read("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThat(read("18446744073709551615")).isEqualTo(new BigInteger("18446744073709551615"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\":}",
                "{\"a\":1,}",
                "[1,]",
                "{\"a\":1}x",
                "{\"a\":1}{}",
                "\"\\x\"",
                "{\"a\":1,\"a\":2}",
                "tru",
                "1.2.3",
                "1e99999999999",
                "NaN",
                "'a'",
                "// no\n1",
                "\"a\nb\""
            })
    void refusesTheRest(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(InvalidJson.class);
    }

    @Test
    void bytesThatAreNotTextAreRefused() {
        assertThatThrownBy(() -> READER.read(new byte[] {'"', (byte) 0xff, '"'}))
                .isInstanceOf(InvalidJson.class);
    }

    @Test
    void allKeysThatStandTwiceAreTold() {
        assertThatExceptionOfType(InvalidJson.class)
                .isThrownBy(() -> read("{\"a\":[{\"b/c\":1,\"b/c\":2}],\"d\":1,\"d\":2}"))
                .satisfies(e -> assertThat(e.flaws())
                        .extracting(InvalidJson.Flaw::pointer)
                        .containsExactly("/a/0/b~1c", "/d"));
    }

    @Test
    void depthIsBounded() throws IOException {
        assertThat(read("[".repeat(32) + "]".repeat(32))).isNotNull();
        assertThatThrownBy(() -> read("[".repeat(33) + "]".repeat(33))).isInstanceOf(InvalidJson.class);
        assertThatThrownBy(() -> read("[".repeat(100_000))).isInstanceOf(InvalidJson.class);
    }

    @Test
    void sizeIsBounded() throws IOException {
        assertThat(read(" ".repeat(199_999) + "1")).isEqualTo(1L);
        assertThatThrownBy(() -> read(" ".repeat(200_000) + "1"))
                .isInstanceOf(InvalidJson.class)
                .hasMessageContaining("larger than 200000 bytes");
    }

    @Test
    void anyTextComesBackFromALine() throws IOException {
        String text = "a\"b\\c\nd\u0001\u00e4\udcff\ud83d\ude00";
        String line = new JsonLine().text("text", text).end();
        assertThat(line).matches("[ -~]+\n");
        assertThat(READER.object(line.getBytes(UTF_8))).containsEntry("text", text);
    }
}
