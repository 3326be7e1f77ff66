package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The benchmark on the host of the tests: what it says, never how fast that is. */
@Tag("jail")
class BenchJailTest {

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    void besideAFewIdleSandboxes() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("bench", "--growth", "--quick", "--json"))
                .as(stdio.err())
                .isZero();
        assertThat(stdio.out())
                .startsWith("{\"growth\":[{\"sandboxes\":1,\"open_ms\":")
                .contains("{\"sandboxes\":10,");
    }

    @Test
    void aFewSamples() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("bench", "--quick", "--json")).as(stdio.err()).isZero();
        assertThat(stdio.out())
                .startsWith("{\"rows\":[{\"name\":\"")
                .contains("\"name\":\"warm start\",\"value\":")
                .contains("\"name\":\"throughput, warm\",\"value\":")
                .contains("\"name\":\"cold start\",\"value\":")
                .contains("\"name\":\"CPU-bound work\",\"value\":")
                .contains("\"name\":\"file-bound work\",\"value\":")
                .contains("\"name\":\"idle sandbox\",\"value\":")
                .contains("\"name\":\"cordon run -- true\",\"value\":null")
                .contains("{\"name\":\"ProcessBuilder, unjailed\",\"parallel\":2,")
                .endsWith("}}\n");
        assertThat(stdio.err()).isEmpty();
    }
}
