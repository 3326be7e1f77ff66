package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.FakeHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperationChecksTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
    private static final Path STATE = Path.of("/var/lib/cordon");

    @TempDir
    private Path folder;

    private FakeHost host;

    @BeforeEach
    void start() {
        host = new FakeHost(folder);
    }

    @Test
    void aDiskThatIsFullIsAFailureAndOneThatWillBeAWarning() {
        assertThat(check("disk", 1L << 40, NOW).status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(check("disk", 500L << 20, NOW).status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(check("disk", 5L << 20, NOW).status()).as("jobs still run").isEqualTo(HostCheck.Status.WARN);
        HostCheck full = check("disk", 512L << 10, NOW);
        assertThat(full.status()).isEqualTo(HostCheck.Status.FAIL);
        assertThat(full.found()).isEqualTo("512 KiB left on the disk of /var/lib/cordon");
        assertThat(full.remedy()).contains("paths.state");
        assertThat(check("disk", -1, NOW).status()).isEqualTo(HostCheck.Status.INFO);
    }

    @Test
    void theRoomOfADirectoryThatIsNotThereYetIsThatOfItsParent() {
        assertThat(DiskRoom.of(folder.resolve("not/yet")).bytes()).isPositive();
    }

    @Test
    void aClockThatWasNeverSetIsAWarning() throws IOException {
        HostCheck old = check("clock", 0, Instant.EPOCH);
        assertThat(old.status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(old.remedy()).contains("timedatectl set-ntp true");
        assertThat(check("clock", 0, NOW).status()).isEqualTo(HostCheck.Status.INFO);
        host.file("/run/systemd/timesync/synchronized", "");
        assertThat(check("clock", 0, NOW).status()).isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void fewOpenFilesAreAWarning() throws IOException {
        assertThat(check("open_files", 0, NOW).status()).isEqualTo(HostCheck.Status.INFO);
        host.file("/proc/sys/fs/file-max", "100000\n");
        HostCheck few = check("open_files", 0, NOW);
        assertThat(few.status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(few.remedy()).contains("fs.file-max");
        host.file("/proc/sys/fs/file-max", "9223372036854775807\n");
        assertThat(check("open_files", 0, NOW).status()).isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void aControlPlaneThatDiesBeforeItsJobsIsAWarning() throws IOException {
        assertThat(check("oom_score", 0, NOW).status()).isEqualTo(HostCheck.Status.INFO);
        host.file("/proc/self/oom_score_adj", "500\n");
        HostCheck likely = check("oom_score", 0, NOW);
        assertThat(likely.status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(likely.remedy()).contains("OOMScoreAdjust");
        host.file("/proc/self/oom_score_adj", "-500\n");
        assertThat(check("oom_score", 0, NOW).found()).isEqualTo("this process has -500, jobs have 500");
        assertThat(check("oom_score", 0, NOW).status()).isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void aHeapThatLeavesNothingToJobsIsAWarning() throws IOException {
        OperationChecks checks = new OperationChecks(new HostFiles(host.root()), new DiskRoom(STATE, 0), NOW);
        assertThat(checks.heap(1 << 30).status()).isEqualTo(HostCheck.Status.INFO);
        host.file("/proc/meminfo", "MemTotal:        4194304 kB\n");
        assertThat(checks.heap(1 << 30).found()).isEqualTo("at most 1 GiB of 4 GiB");
        assertThat(checks.heap(1 << 30).status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(checks.heap(4L << 30).remedy()).contains("-Xmx");
    }

    @Test
    void aSocketThatAnybodyCanOpenIsAWarning() throws IOException {
        assertThat(check("socket", 0, NOW).status()).isEqualTo(HostCheck.Status.INFO);
        host.file(OperationChecks.SOCKET, "");
        Path socket = folder.resolve(OperationChecks.SOCKET.substring(1));
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw----"));
        assertThat(check("socket", 0, NOW).status()).isEqualTo(HostCheck.Status.PASS);
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
        HostCheck open = check("socket", 0, NOW);
        assertThat(open.status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(open.found()).endsWith("has the mode 0666");
    }

    private HostCheck check(String id, long bytes, Instant now) {
        return new OperationChecks(new HostFiles(host.root()), new DiskRoom(STATE, bytes), now)
                .run().stream()
                        .filter(check -> check.id().equals(id))
                        .findFirst()
                        .orElseThrow();
    }
}
