package dev.cordon.cli.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CommandWordsTest {

    @Test
    void soundWordsAreTakenAsTheyAre() throws UsageError {
        String[] words = {"run", "né€"};
        assertThat(CommandWords.exact(words)).isSameAs(words);
    }

    @Test
    void theLastWordsOfACommandLineAreFound() throws UsageError {
        byte[] line = "java\0-cp\0x\0Main\0run\0--\0né€\0\0".getBytes(StandardCharsets.UTF_8);
        assertThat(CommandWords.lastOf(line, 4)).containsExactly("run", "--", "né€", "");
        assertThat(CommandWords.lastOf(line, 0)).isEmpty();
    }

    @Test
    void bytesThatAreNoTextAreRefused() {
        byte[] line = "java\0run\0a\0".getBytes(StandardCharsets.UTF_8);
        line[line.length - 2] = (byte) 0xff;
        assertThatThrownBy(() -> CommandWords.lastOf(line, 2))
                .isInstanceOf(UsageError.class)
                .hasMessage("argument 2 is not UTF-8 text; pass such bytes in a file or on standard input");
    }
}
