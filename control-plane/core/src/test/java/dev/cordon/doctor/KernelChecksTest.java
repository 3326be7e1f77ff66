package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.FakeHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelChecksTest {

    private static final TrialJob NOT_MADE = new TrialJob.NotMade("no library", "build it");

    @TempDir
    private Path folder;

    private FakeHost host;

    @BeforeEach
    void start() throws IOException {
        host = new FakeHost(folder)
                .file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
                .file("/proc/self/status", "Seccomp:\t0\n")
                .file(
                        "/proc/sys/kernel/seccomp/actions_avail",
                        "kill_process kill_thread trap errno user_notif trace log allow\n")
                .file("/proc/sys/vm/memfd_noexec", "0\n");
    }

    @Test
    void aRecentKernelHasEverything() {
        assertThat(new KernelChecks(new HostFiles(host.root()), NOT_MADE, 7).run())
                .noneMatch(check -> check.status() == HostCheck.Status.FAIL);
        assertThat(check(NOT_MADE, "openat2").found()).isEqualTo("kernel 6.1 has it (since 5.6)");
    }

    @Test
    void anOldKernelFailsByNameAndVersion() throws IOException {
        host.file("/proc/sys/kernel/osrelease", "5.4.0-200-generic\n")
                .file("/proc/sys/kernel/seccomp/actions_avail", "kill_thread allow\n");
        assertThat(check(NOT_MADE, "kernel").status()).isEqualTo(HostCheck.Status.FAIL);
        assertThat(check(NOT_MADE, "openat2").remedy()).isEqualTo("run a kernel 5.6 or later");
        assertThat(check(NOT_MADE, "pidfd").status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(check(NOT_MADE, "seccomp").status()).isEqualTo(HostCheck.Status.FAIL);
    }

    @Test
    void aFilterOnOurselvesMayHideWhatTheKernelHas() throws IOException {
        host.file("/proc/self/status", "Seccomp:\t2\n");
        assertThat(check(NOT_MADE, "openat2").remedy()).contains("RestrictSUIDSGID=");
        assertThat(check(NOT_MADE, "clone3").remedy()).contains("RestrictNamespaces=");
        assertThat(check(new TrialJob.Worked(true, true, List.of()), "openat2").status())
                .isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void landlockIsAWarningAndNeverAFailure() {
        assertThat(landlock(new TrialJob.Worked(true, true, List.of()), 7).found())
                .isEqualTo("ABI 7, applied in the trial jail");
        assertThat(landlock(NOT_MADE, 3).found()).isEqualTo("ABI 3");
        assertThat(landlock(NOT_MADE, 0).status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(landlock(new TrialJob.Worked(false, true, List.of()), 7).status())
                .isEqualTo(HostCheck.Status.WARN);
    }

    @Test
    void aKernelThatForbidsProgramsInMemoryFails() throws IOException {
        host.file("/proc/sys/vm/memfd_noexec", "2\n");
        assertThat(check(NOT_MADE, "memfd_exec").remedy()).isEqualTo("sysctl -w vm.memfd_noexec=1");
    }

    private HostCheck landlock(TrialJob trial, int abi) {
        return check(trial, abi, "landlock");
    }

    private HostCheck check(TrialJob trial, String id) {
        return check(trial, 7, id);
    }

    private HostCheck check(TrialJob trial, int landlockAbi, String id) {
        return new KernelChecks(new HostFiles(host.root()), trial, landlockAbi)
                .run().stream()
                        .filter(check -> check.id().equals(id))
                        .findFirst()
                        .orElseThrow();
    }
}
