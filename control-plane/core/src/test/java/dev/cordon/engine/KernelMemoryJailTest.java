package dev.cordon.engine;

import static dev.cordon.engine.Sandboxes.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.Cordon;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** D-14: what the kernel holds for a job is bounded and given back. */
@Tag("jail")
@Tag("asUser")
final class KernelMemoryJailTest {
    /** More of each than any limit of a job lets through. */
    private static final String MANY = "200000";

    /** Other programs of this machine open and close files meanwhile. */
    private static final long NOISE = 4000;

    @Test
    void everyKindOfHandleComesToAnEnd() throws Exception {
        long before = openFilesOfTheHost();
        try (Cordon cordon = Cordon.open()) {
            Result result = cordon.run(
                    payload("handles", MANY).memory(ByteSize.mib(256)).timeout(Duration.ofMinutes(2)));
            assertThat(result.stdoutText().lines())
                    .as(result.outcome() + " " + result.stderrText())
                    .hasSize(11)
                    .noneMatch(line -> line.endsWith("not stopped"));
            assertThat(result.outcome().exitCode()).isEqualTo(4);
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> openFilesOfTheHost() < before + NOISE);
    }

    private static long openFilesOfTheHost() throws IOException {
        return Long.parseLong(
                Files.readString(Path.of("/proc/sys/fs/file-nr")).strip().split("\\s+", -1)[0]);
    }
}
