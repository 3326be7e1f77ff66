package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bars themselves, for a quiet host: {@code ./gradlew benchTest}. Never part of check. */
@Tag("bench")
class BenchTest {

    @Test
    void everyBarThatCanBeMeasuredIsMet() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("bench")).as(stdio.err()).isZero();
        assertThat(stdio.out().lines().filter(line -> line.startsWith("missed")))
                .as(stdio.out())
                .isEmpty();
    }
}
