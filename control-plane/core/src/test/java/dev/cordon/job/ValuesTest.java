package dev.cordon.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.result.Output;
import dev.cordon.result.Violation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
    @Test
    void outputCountsWhatItDropped() {
        assertThat(new Output(new byte[] {'a'}, 5).truncated()).isTrue();
        assertThat(new Output(new byte[] {'a'}, 1).truncated()).isFalse();
        assertThat(new Output(new byte[] {'a', (byte) 0xFF}, 2).text()).isEqualTo("a\ufffd");
        assertThatThrownBy(() -> new Output(new byte[2], 1)).hasMessageContaining("2 bytes of 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"job_01J", "a", "A-b_9"})
    void idsAreSafeAsNames(String value) {
        assertThat(new JobId(value)).hasToString(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "a/b",
                "a b",
                "a\0",
                "é",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            })
    void idsThatAreNoNamesAreRefused(String value) {
        assertThatThrownBy(() -> new JobId(value)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void isolationReadsItsOwnName(Isolation level) {
        assertThat(Isolation.parse(level.label())).isEqualTo(level);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void languagesReadTheirOwnNameAndKnowTheirFile(Language language) {
        assertThat(Language.parse(language.label())).isEqualTo(language);
        assertThat(Language.ofFileName(language.fileName())).contains(language);
    }

    @Test
    void unknownNamesAreAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> Isolation.parse("JAIL")).hasMessageContaining("process, jail, vm");
        assertThatThrownBy(() -> Language.parse("cobol")).hasMessageContaining("python, node, bash, java");
    }

    @Test
    void aViolationWasSeen() {
        assertThatThrownBy(() -> new Violation("ptrace", 1, "x", 0, false)).hasMessageContaining("0 times");
    }
}
