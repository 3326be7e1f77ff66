package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.FakeHost;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdMapChecksTest {

    @TempDir
    private Path folder;

    private FakeHost host;

    @BeforeEach
    void start() {
        host = new FakeHost(folder);
    }

    @Test
    void rootGivesEverySandboxAnIdOfItsOwn() throws IOException {
        host.file("/proc/self/status", status(0, 0));
        HostCheck check = new IdMapChecks(new HostFiles(host.root()), "root").check();
        assertThat(check.status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(check.found()).startsWith("root: every sandbox gets a host uid and gid of its own");
    }

    @Test
    void rootlessWithARangeUsesNewuidmap() throws IOException {
        host.file("/proc/self/status", status(1001, 0))
                .program("/usr/bin/newuidmap")
                .program("/usr/bin/newgidmap");
        host.file("/etc/subuid", "ada:100000:65536\n").file("/etc/subgid", "1001:100000:65536\n");
        HostCheck check = new IdMapChecks(new HostFiles(host.root()), "ada").check();
        assertThat(check.status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(check.found()).contains("rootless with newuidmap");
    }

    @Test
    void rootlessWithoutARangeSaysWhatThatMeans() throws IOException {
        host.file("/proc/self/status", status(65534, 0))
                .program("/usr/bin/newuidmap")
                .program("/usr/bin/newgidmap");
        host.file("/etc/subuid", "ada:100000:65536\n").file("/etc/subgid", "ada:100000:65536\n");
        HostCheck check = new IdMapChecks(new HostFiles(host.root()), "nobody").check();
        assertThat(check.status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(check.found())
                .contains("no range in /etc/subuid")
                .contains("jobs run as nobody on the host")
                .contains("supplementary groups of the caller stay effective");
        assertThat(check.remedy()).startsWith("usermod --add-subuids");
    }

    @Test
    void missingProgramsAndNoNewPrivilegesAreNamed() throws IOException {
        host.file("/proc/self/status", status(1001, 1));
        HostCheck without = new IdMapChecks(new HostFiles(host.root()), "ada").check();
        assertThat(without.found()).contains("newuidmap and newgidmap are not installed");
        assertThat(without.remedy()).startsWith("apt install uidmap; ");

        host.program("/usr/bin/newuidmap").program("/usr/bin/newgidmap");
        host.file("/etc/subuid", "ada:100000:65536\n").file("/etc/subgid", "ada:100000:65536\n");
        HostCheck locked = new IdMapChecks(new HostFiles(host.root()), "ada").check();
        assertThat(locked.status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(locked.remedy()).contains("NoNewPrivileges=no");
    }

    private static String status(int uid, int noNewPrivileges) {
        return "Name:\tjava\nUid:\t" + uid + "\t" + uid + "\t" + uid + "\t" + uid + "\nNoNewPrivs:\t" + noNewPrivileges
                + "\n";
    }
}
