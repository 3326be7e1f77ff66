package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** That everything can be measured here: {@code ./gradlew benchTest}. Whether a bar is met depends on the machine, and is not asked. */
@Tag("bench")
class BenchTest {
    private static final List<String> ROWS = List.of(
            "warm start",
            "warm command",
            "cold start",
            "cold from nothing",
            "throughput, warm",
            "CPU-bound work",
            "file-bound work",
            "idle sandbox",
            "cordon run -- true");

    @Test
    void everyRowIsThere() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("bench", "--quick", "--json")).as(stdio.err()).isZero();
        JsonNode report = JsonMapper.shared().readTree(stdio.out());
        assertThat(report.get("rows").values())
                .extracting(row -> row.get("name").asString())
                .isEqualTo(ROWS);
        assertThat(report.get("rows").values()).allSatisfy(row -> {
            assertThat(row.has("met")).isTrue();
            assertThat(row.get("bar").isNumber()).isTrue();
        });
    }
}
