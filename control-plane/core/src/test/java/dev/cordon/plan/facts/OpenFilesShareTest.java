package dev.cordon.plan.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.config.IdRange;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.host.HostSurvey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** D-14: no job can open all files that the host may have open. */
class OpenFilesShareTest {
    private static final long DEFAULT_PIDS = 256;
    private static final long DEFAULT_FILES = 1024;

    private static JobSpec applied(long host, Job job) {
        JobSpec spec = job.validate();
        return new OpenFilesShare(host).applied(spec, spec.limits().pids());
    }

    @Test
    void theHostsNumberIsReadWhole() throws IOException {
        HostSurvey survey = new HostSurvey(new IdRange(2_100_000_000L, 1), Path.of("/nowhere"));
        long told = Long.parseLong(
                Files.readAllLines(Path.of("/proc/sys/fs/file-max")).getFirst().strip());
        assertThat(survey.openFiles().host()).isEqualTo(told);
    }

    @Test
    void aHostWithoutABoundChangesNothing() {
        Job most = Job.argv("true").pids(4096).openFiles(65536);
        assertThat(applied(Long.MAX_VALUE, most).limits().openFiles()).isEqualTo(65536);
    }

    @Test
    void whatWasAskedForIsRefusedWithWhatFits() {
        Job greedy = Job.argv("true").pids(200).openFiles(4096);
        assertThat(applied(8 * 200 * 4096, greedy).limits().openFiles()).isEqualTo(4096);
        assertThatThrownBy(() -> applied(8 * 200 * 4096 - 1, greedy))
                .isInstanceOfSatisfying(
                        InvalidJob.class,
                        refused -> assertThat(refused.errors()).singleElement().satisfies(error -> {
                            assertThat(error.pointer()).isEqualTo("/limits/open_files");
                            assertThat(error.value()).isEqualTo("4096");
                            assertThat(error.rule())
                                    .contains("pids = 200")
                                    .contains("819199")
                                    .contains("fs.file-max");
                            assertThat(error.remedy()).contains("at most 4095");
                        }));
    }

    /** A job that names its processes alone does not care about files. */
    @Test
    void defaultsAreLoweredAndNeverBelowWhatProgramsNeed() {
        Job usual = Job.argv("true");
        assertThat(applied(8 * DEFAULT_PIDS * DEFAULT_FILES, usual).limits().openFiles())
                .isEqualTo(DEFAULT_FILES);
        assertThat(applied(8 * DEFAULT_PIDS * 500, usual).limits().openFiles()).isEqualTo(500);
        assertThat(applied(1000, usual).limits().openFiles()).isEqualTo(64);
        assertThat(applied(8 * 4096 * 75, usual.pids(4096)).limits().openFiles())
                .isEqualTo(75);
    }

    @Test
    void moreProcessesThanCanHaveFilesAreRefused() {
        assertThatThrownBy(() -> applied(8 * 4096 * 63, Job.argv("true").pids(4096)))
                .isInstanceOfSatisfying(
                        InvalidJob.class,
                        refused -> assertThat(refused.errors()).singleElement().satisfies(error -> {
                            assertThat(error.pointer()).isEqualTo("/limits/pids");
                            assertThat(error.remedy()).contains("at most 4032");
                        }));
    }
}
