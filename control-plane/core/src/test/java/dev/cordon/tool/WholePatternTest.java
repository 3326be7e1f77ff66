package dev.cordon.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholePatternTest {
    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029"})
    void nothingStandsAfterTheEnd(String terminator) {
        for (String pattern : new String[] {"^[a-z]+$", "^(a|ab)$|^x$", "a?b\\Z", "^[]ab]*$", "^[a[b]]+$"}) {
            assertThat(find(pattern, "ab")).as(pattern).isTrue();
            assertThat(find(pattern, "ab" + terminator)).as(pattern).isFalse();
        }
    }

    @Test
    void dollarsThatAreCharactersStay() {
        assertThat(find("^[$]$", "$")).isTrue();
        assertThat(find("^[^]$]$", "$")).isFalse();
        assertThat(find("^\\$$", "$")).isTrue();
        assertThat(find("^\\Q$\\E$", "$")).isTrue();
        assertThat(find("\\Q$", "a$\n")).isTrue();
        assertThat(find("^[\\]$]$", "$")).isTrue();
        assertThat(find("^\\\\$", "\\")).isTrue();
        assertThat(find("^\\\\$", "\\\n")).isFalse();
    }

    @Test
    void anExpressionThatIsNoneIsSaidInItsOwnWords() {
        assertThatExceptionOfType(PatternSyntaxException.class)
                .isThrownBy(() -> WholePattern.compile("$[a"))
                .satisfies(e -> assertThat(e.getPattern()).isEqualTo("$[a"));
    }

    private static boolean find(String pattern, String text) {
        return WholePattern.compile(pattern).isFoundIn(text);
    }
}
