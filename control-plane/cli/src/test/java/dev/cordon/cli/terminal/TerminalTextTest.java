package dev.cordon.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTextTest {

    @Test
    void textGoesThroughUnchanged() throws IOException {
        String text = "line\n\ttab\r\nπ € 漢字 🦊 naïve\n";
        assertThat(shown(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "1b5d303b6f776e656407, ^[]0;owned^G", // retitles the window
        "1b5b32324a, ^[[22J",
        "08, ^H",
        "00, ^@",
        "7f, ^?",
        "c29b324a, <9B>2J", // CSI as one C1 character
        "e280ae, <202E>", // right-to-left override
        "9b, <9B>",
        "ff, <FF>",
        "c0af, <C0><AF>", // an overlong slash
        "e08080, <E0><80><80>",
        "eda080, <ED><A0><80>", // half of a surrogate pair
        "f4908080, <F4><90><80><80>", // beyond Unicode
        "c341, <C3>A", // a sequence that breaks off
        "e282, <E2><82>", // at the end of the output
    })
    void whatSteersATerminalOrIsNoTextBecomesVisible(String bytes, String expected) throws IOException {
        assertThat(shown(bytes(bytes))).isEqualTo(expected);
    }

    @Test
    void writesMayEndAnywhere() throws IOException {
        byte[] bytes = "a€\u001b[1mπ\u009b🦊".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TerminalText text = new TerminalText(out)) {
            for (byte value : bytes) {
                text.write(value);
            }
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(shown(bytes)).isEqualTo("a€^[[1mπ<9B>🦊");
    }

    @Test
    void aMessageStaysOnOneLine() {
        assertThat(TerminalText.visible("a\nb\u001b[31m\tc\u202e")).isEqualTo("a b^[[31m c<202E>");
    }

    @Test
    void jsonStaysJson() {
        assertThat(TerminalText.json("{\"a\":\"\u009b\u007f€\"}")).isEqualTo("{\"a\":\"\\u009b\\u007f€\"}");
    }

    private static String shown(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TerminalText text = new TerminalText(out)) {
            text.write(bytes);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
