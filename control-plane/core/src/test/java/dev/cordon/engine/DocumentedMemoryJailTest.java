package dev.cordon.engine;

import static dev.cordon.engine.Sandboxes.payload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the README says of memory is what a job meets: held by a cgroup, or not held and said so. */
@Tag("jail")
@Tag("asUser")
final class DocumentedMemoryJailTest {
    @Test
    void memoryIsHeldByACgroupOrNotAtAll() throws IOException {
        assertThat(Files.readString(Path.of(System.getProperty("cordon.root"), "README.md")))
                .contains("**memory is not held**");
        try (Cordon cordon = Cordon.open()) {
            Result result =
                    cordon.run(payload("shared", "100").memory(ByteSize.mib(64)).timeout(Duration.ofMinutes(1)));
            if (Sandboxes.holds(WholeJobLimit.MEMORY)) {
                assertThat(result.outcome()).isInstanceOf(Outcome.OutOfMemory.class);
                assertThat(result.applied().limitsNotEnforced()).doesNotContain(Limit.MEMORY);
            } else {
                assertThat(result.outcome()).as(result.stdoutText()).isEqualTo(new Outcome.Exited(0));
                assertThat(result.applied().limitsNotEnforced()).contains(Limit.MEMORY);
            }
        }
    }
}
