package dev.cordon.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.FileEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SandboxSpecTest {
    @Test
    void errorsComeTogether() {
        assertThatThrownBy(() -> SandboxSpec.create()
                        .memory(ByteSize.bytes(1))
                        .ttl(Duration.ofDays(1000))
                        .idleTimeout(Duration.ofSeconds(-1))
                        .validate(Map.of()))
                .isInstanceOfSatisfying(
                        InvalidJob.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::pointer)
                                .containsExactly("/limits/memory", "/ttl", "/idle_timeout"));
    }

    @Test
    void commandsTakeWhatTheyDoNotNameFromTheSandbox() {
        JobSpec sandbox = SandboxSpec.create()
                .memory(ByteSize.gib(1))
                .timeout(Duration.ofSeconds(7))
                .env("A", "sandbox")
                .env("B", "sandbox")
                .owner("alice")
                .readOnly(Path.of("/usr"), "/opt/usr")
                .validate(Map.of());
        JobSpec job = Job.argv("true").env("B", "job").output(ByteSize.kib(4)).validateIn(sandbox);
        assertThat(job.limits().memory()).isEqualTo(ByteSize.gib(1));
        assertThat(job.limits().timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(job.limits().output()).isEqualTo(ByteSize.kib(4));
        assertThat(job.io().environment()).containsEntry("A", "sandbox").containsEntry("B", "job");
        assertThat(job.origin().owner()).isEqualTo("alice");
        assertThat(job.containment().mounts()).hasSize(1);
    }

    @Test
    void whatBelongsToTheSandboxIsRefusedInACommand() {
        JobSpec sandbox = SandboxSpec.create().validate(Map.of());
        assertThatThrownBy(() -> Job.java("void main() {}")
                        .pids(3)
                        .owner("bob")
                        .strict(true)
                        .macLabel("x")
                        .validateIn(sandbox))
                .isInstanceOfSatisfying(
                        InvalidJob.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::pointer)
                                .containsExactlyInAnyOrder(
                                        "/limits/pids", "/owner", "/strict", "/mac_label", "/language"));
    }

    @Test
    void namesAreShownSafely() {
        FileEntry entry = new FileEntry(
                "/workspace/a\n\u001b\\\uDCFF\u202e\uD83D\uDE00ä",
                FileEntry.Kind.FILE,
                ByteSize.bytes(0),
                Instant.EPOCH,
                06755);
        assertThat(entry.display()).isEqualTo("/workspace/a\\n\\u001b\\\\\\xff\\u202e\uD83D\uDE00ä");
        assertThat(entry.mode()).isEqualTo(0755);
        assertThat(entry.name()).startsWith("a\n");
    }
}
