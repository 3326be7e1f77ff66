package dev.cordon.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.JobId;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NewJobIdsTest {
    @Test
    void isAUlidInCrockfordsAlphabet() {
        byte[] ones = new byte[10];
        Arrays.fill(ones, (byte) 0xFF);
        assertThat(NewJobIds.of(Instant.ofEpochMilli(0), new byte[10]).value()).isEqualTo("job_" + "0".repeat(26));
        assertThat(NewJobIds.of(Instant.ofEpochMilli(1_469_918_176_385L), ones).value())
                .isEqualTo("job_01ARYZ6S41" + "Z".repeat(16));
    }

    @Test
    void sortsByTimeAndIsNeverTheSame() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(NewJobIds.next(now).value())
                .isLessThan(NewJobIds.next(now.plusMillis(1)).value());
        assertThat(IntStream.range(0, 1000).mapToObj(i -> NewJobIds.next(now)).map(JobId::value))
                .doesNotHaveDuplicates();
    }
}
