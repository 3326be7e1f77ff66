package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.FakeHost;
import dev.cordon.job.JobId;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {

    @TempDir
    private Path folder;

    private FakeHost host;
    private static final DiskRoom ROOM = new DiskRoom(Path.of("/var/lib/cordon"), 1L << 40);

    @Test
    void theStageThatFailedIsReportedWithItsRemedy() {
        HostCheck jail = find(
                diagnose(job -> ended(new Outcome.SetupFailed("clone", "EPERM", "clone3", "sysctl this"))), "jail");
        assertThat(jail.status()).isEqualTo(HostCheck.Status.FAIL);
        assertThat(jail.found()).isEqualTo("stage clone, EPERM (clone3)");
        assertThat(jail.remedy()).isEqualTo("sysctl this");
    }

    @Test
    void aRunnerThatThrowsIsReportedAndTheOtherChecksGoOn() {
        HostDiagnosis diagnosis = diagnose(job -> {
            throw new IOException("no supervisor");
        });
        assertThat(find(diagnosis, "jail").found()).isEqualTo("not tried: no supervisor");
        assertThat(find(diagnosis, "mitigations")).isNotNull();
        assertThat(diagnosis.usable()).isFalse();
    }

    @Test
    void theTrialIsOneShortSmallJob() {
        HostDiagnosis diagnosis = diagnose(job -> {
            assertThat(job.validate().asked()).extracting(Enum::name).containsExactlyInAnyOrder("TIMEOUT", "MEMORY");
            return ended(new Outcome.Exited(0));
        });
        assertThat(find(diagnosis, "jail").status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(find(diagnosis, "user_namespaces").status()).isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void aHostThatIsBusyIsNotABrokenOne() {
        HostDiagnosis busy =
                diagnose(job -> ended(new Outcome.Denied(List.of("all is in use"), Duration.ofSeconds(10))));
        assertThat(find(busy, "jail").status()).isEqualTo(HostCheck.Status.WARN);
        HostDiagnosis denied = diagnose(job -> ended(new Outcome.Denied(List.of("no"), null)));
        assertThat(find(denied, "jail").status()).isEqualTo(HostCheck.Status.FAIL);
    }

    @Test
    void idsAreUniqueAndEveryProblemHasARemedy() {
        HostDiagnosis diagnosis = diagnose(job -> ended(new Outcome.HostUnsupported("proc", "unmask it")));
        assertThat(diagnosis.checks()).extracting(HostCheck::id).doesNotHaveDuplicates();
        assertThat(diagnosis.checks())
                .allMatch(check -> check.status().compareTo(HostCheck.Status.WARN) < 0
                        || !check.remedy().isEmpty());
    }

    @Test
    void theJsonHasASummaryAndTheChecks() {
        HostDiagnosis diagnosis = new HostDiagnosis(List.of(
                new CheckSubject("a", "because").pass("found \"it\""),
                new CheckSubject("b", "because").fail("nothing", "do that")));
        assertThat(DiagnosisJson.of(diagnosis))
                .isEqualTo(
                        "{\"summary\":{\"usable\":false,\"pass\":1,\"info\":0,\"warn\":0,\"fail\":1},\"checks\":[{\"id\":\"a\",\"status\":\"PASS\",\"found\":\"found"
                            + " \\\"it\\\"\",\"why\":\"because\",\"remedy\":\"\"},{\"id\":\"b\",\"status\":\"FAIL\",\"found\":\"nothing\",\"why\":\"because\",\"remedy\":\"do"
                            + " that\"}]}");
    }

    @BeforeEach
    void start() throws IOException {
        host = new FakeHost(folder).file("/proc/self/status", "Uid:\t1000\t1000\t1000\t1000\n");
    }

    private HostDiagnosis diagnose(JobRunner runner) {
        return new Doctor(new HostFiles(host.root()), host.view(), "ada", runner, Optional.empty(), ROOM).run();
    }

    private static HostCheck find(HostDiagnosis diagnosis, String id) {
        return diagnosis.checks().stream()
                .filter(check -> check.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Result ended(Outcome outcome) {
        return Result.notStarted(new JobId("job_1"), outcome, List.of(), Instant.EPOCH, Instant.EPOCH);
    }
}
