package dev.cordon.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The small reader of JSON. */
final class JsonTest {
    @Test
    void readsWhatQemuSays() throws IOException {
        String text =
                "{\"return\": {\"status\": \"running\", \"n\": [1, -2.5, true, null, \"\\u00e9\\n\"]}, \"id\": 7}";
        assertThat(Json.object(text)).containsEntry("id", 7L);
        assertThat(Json.asObject(Json.object(text).get("return")).orElseThrow().get("n"))
                .hasToString("[1, -2.5, true, null, \u00e9\n]");
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
                "\"\\x\"",
                "{\"a\":1,\"a\":2}",
                "tru",
                "1.2.3",
                "\"a\nb\""
            })
    void refusesTheRest(String text) {
        assertThatThrownBy(() -> Json.read(text)).isInstanceOf(IOException.class);
    }

    @Test
    void depthIsBounded() {
        assertThatThrownBy(() -> Json.read("[".repeat(100_000))).isInstanceOf(IOException.class);
    }

    @Test
    void quotes() throws IOException {
        String text = "a\"b\\c\nd\u0001";
        assertThat(Json.read(Json.quote(text))).isEqualTo(text);
    }
}
