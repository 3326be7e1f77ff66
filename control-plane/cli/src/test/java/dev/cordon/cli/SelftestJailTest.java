package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Single probes on the host of the tests, where jails work; core's tests run them all. */
@Tag("jail")
class SelftestJailTest {

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    void aTableByFamily() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("selftest", "--only", "B-04", "--only", "A-06"))
                .as(stdio.out())
                .isZero();
        assertThat(stdio.out()).isEqualTo("""
            Handles, identity, start-up
              A-06  denied          capabilities in the user namespace: 9 attempts refused

            Kernel surface
              B-04  denied          clone3: 3 attempts refused

            2 denied, 0 not applicable, 0 escaped
            """);
        assertThat(stdio.err()).isEmpty();
    }

    @Test
    void oneObject() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("selftest", "--json", "--only", "B-06")).isZero();
        assertThat(stdio.out())
                .isEqualTo(
                        "{\"summary\":{\"denied\":1,\"not_applicable\":0,\"escaped\":0},\"probes\":[{\"id\":\"B-06\","
                                + "\"title\":\"io_uring\",\"verdict\":\"denied\","
                                + "\"detail\":\"3 attempts refused, 3 named by the tripwire\"}]}\n");
    }
}
