package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.config.AuditSettings;
import dev.cordon.job.limit.ByteSize;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCheckTest {
    @TempDir
    private Path folder;

    private AuditSettings settings(ByteSize keep) {
        return new AuditSettings(true, folder.resolve("audit"), AuditSettings.ROTATE, keep, false);
    }

    @Test
    void aDiskThatRunsFullIsToldBeforeItIs() {
        AuditSettings settings = settings(ByteSize.gib(10));
        HostCheck check = AuditCheck.judge(
                settings, ByteSize.gib(2).bytes(), ByteSize.mib(400).bytes());
        assertThat(check.status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(check.remedy()).contains("audit.keep");
        assertThat(AuditCheck.judge(
                                settings,
                                ByteSize.gib(2).bytes(),
                                ByteSize.gib(1).bytes())
                        .status())
                .isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void aLogThatGrowsNoMoreNeedsNoRoom() {
        AuditSettings settings = settings(ByteSize.gib(1));
        assertThat(AuditCheck.judge(settings, ByteSize.gib(1).bytes(), 1).status())
                .isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void thisDiskIsLookedAtAlsoBeforeThereIsALog() throws Exception {
        assertThat(AuditCheck.held(settings(ByteSize.gib(1)))).isZero();
        assertThat(AuditCheck.free(settings(ByteSize.gib(1)))).isPositive();
        Files.createDirectory(folder.resolve("audit"));
        Files.writeString(folder.resolve("audit/audit-000000000001.jsonl"), "12345");
        assertThat(AuditCheck.held(settings(ByteSize.gib(1)))).isEqualTo(5);
        assertThat(AuditCheck.of(AuditSettings.off(folder)).status()).isEqualTo(HostCheck.Status.INFO);
    }
}
