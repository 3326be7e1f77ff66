package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The doctor on the host of the tests, where jails work. */
@Tag("jail")
@Tag("asUser")
class DoctorJailTest {

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    void aHostThatRunsJailsIsFoundUsable() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("doctor")).as(stdio.out()).isZero();
        assertThat(stdio.out())
                .contains("PASS  jail             /bin/true ran in a jail\n")
                .contains("PASS  user_namespaces  tried: ")
                .endsWith("jobs can run here\n");
    }

    @Test
    void theDifferenceBetweenRootAndRootlessIsExplained() {
        TestStdio stdio = new TestStdio();
        stdio.run("doctor", "--json");
        boolean root = System.getProperty("user.name").equals("root");
        assertThat(stdio.out())
                .hasLineCount(1)
                .startsWith("{\"summary\":{\"usable\":true,")
                .contains("{\"id\":\"id_maps\",\"status\":\"")
                .contains(root ? "root: every sandbox gets a host uid and gid of its own" : "rootless with ");
    }
}
