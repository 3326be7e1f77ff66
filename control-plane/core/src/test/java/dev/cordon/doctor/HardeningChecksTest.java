package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.FakeHost;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HardeningChecksTest {

    @TempDir
    private Path folder;

    private FakeHost host;

    @BeforeEach
    void start() {
        host = new FakeHost(folder);
    }

    @Test
    void whatTheKernelDoesNotOfferIsNoWeakness() {
        assertThat(check("io_uring").status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(check("io_uring").found()).contains("is not there");
    }

    @Test
    void aWeakSettingIsAWarningWithTheCommandThatMendsIt() throws IOException {
        host.file("/proc/sys/kernel/io_uring_disabled", "0\n").file("/proc/sys/dev/tty/legacy_tiocsti", "1\n");
        assertThat(check("io_uring").status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(check("io_uring").remedy()).isEqualTo("sysctl -w kernel.io_uring_disabled=2");
        assertThat(check("tiocsti").remedy()).isEqualTo("sysctl -w dev.tty.legacy_tiocsti=0");
    }

    @Test
    void onlyThePipedCoreHandlerIsAWarning() throws IOException {
        host.file("/proc/sys/kernel/core_pattern", "|/usr/lib/systemd/systemd-coredump %P\n");
        assertThat(check("core_pattern").status()).isEqualTo(HostCheck.Status.WARN);
        host.file("/proc/sys/kernel/core_pattern", "core\n");
        assertThat(check("core_pattern").status()).isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void protectedFilesNamesOnlyWhatIsTooLow() throws IOException {
        protectedFiles("0", "1", "1", "2");
        assertThat(check("protected_files").remedy())
                .isEqualTo("sysctl -w fs.protected_symlinks=1 fs.protected_fifos=2");
        protectedFiles("1", "1", "2", "2");
        assertThat(check("protected_files").status()).isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void openProcessorWeaknessesAreListed() throws IOException {
        host.file("/sys/devices/system/cpu/vulnerabilities/retbleed", "Vulnerable\n")
                .file("/sys/devices/system/cpu/vulnerabilities/mds", "Not affected\n");
        assertThat(check("mitigations").found()).isEqualTo("open: retbleed");
    }

    @Test
    void nothingHereKeepsJobsFromRunning() throws IOException {
        host.file("/proc/sys/kernel/unprivileged_bpf_disabled", "0\n");
        assertThat(HardeningChecks.run(new HostFiles(host.root())))
                .noneMatch(check -> check.status() == HostCheck.Status.FAIL);
    }

    private void protectedFiles(String symlinks, String hardlinks, String fifos, String regular) throws IOException {
        host.file("/proc/sys/fs/protected_symlinks", symlinks)
                .file("/proc/sys/fs/protected_hardlinks", hardlinks)
                .file("/proc/sys/fs/protected_fifos", fifos)
                .file("/proc/sys/fs/protected_regular", regular);
    }

    private HostCheck check(String id) {
        return HardeningChecks.run(new HostFiles(host.root())).stream()
                .filter(check -> check.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
