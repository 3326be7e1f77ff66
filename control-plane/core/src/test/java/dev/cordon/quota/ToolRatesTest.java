package dev.cordon.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.policy.RateLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolRatesTest {
    private static final RateLimit RATE = new RateLimit(5, Duration.ofHours(1), 5);

    @TempDir
    private Path folder;

    private final AtomicLong now = new AtomicLong(1_000_000_000L);

    private ToolRates another() {
        return new ToolRates(folder.resolve("state"), now::get);
    }

    @Test
    void eachProcessOfAStateDirectoryCountsForAll() throws Exception {
        List<Future<Boolean>> asked = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < 64; i++) {
                ToolRates mine = another();
                asked.add(threads.submit(() -> mine.pass("tool\0alice", RATE).isEmpty()));
            }
            int passed = 0;
            for (Future<Boolean> each : asked) {
                passed += each.get() ? 1 : 0;
            }
            assertThat(passed).isEqualTo(5);
        }
        assertThat(another().pass("tool\0alice", RATE)).contains(Duration.ofMinutes(12));
        assertThat(another().pass("tool\0bob of \u00e9\n", RATE))
                .as("another key")
                .isEmpty();
    }

    @Test
    void tokensComeBackAndFullBucketsAreForgotten() throws IOException {
        for (int i = 0; i < 5; i++) {
            assertThat(another().pass("a", RATE)).isEmpty();
        }
        assertThat(another().pass("a", RATE)).isPresent();
        now.addAndGet(Duration.ofMinutes(12).toNanos());
        assertThat(another().pass("a", RATE)).isEmpty();
        assertThat(another().pass("a", RATE)).isPresent();
        now.addAndGet(Duration.ofHours(2).toNanos());
        assertThat(another().pass("b", RATE)).isEmpty();
        assertThat(Files.readAllLines(folder.resolve("state/tool-rates")))
                .singleElement()
                .asString()
                .startsWith("b ");
    }

    @Test
    void aClockThatIsSetBackAndADamagedFileHoldNobodyForEver() throws IOException {
        for (int i = 0; i < 5; i++) {
            assertThat(another().pass("a", RATE)).isEmpty();
        }
        now.set(5);
        Optional<Duration> wait = another().pass("a", RATE);
        assertThat(wait).contains(Duration.ofMinutes(12));
        now.addAndGet(Duration.ofMinutes(12).toNanos());
        assertThat(another().pass("a", RATE)).isEmpty();
        Files.writeString(folder.resolve("state/tool-rates"), "%%% 1 2\na 5 x 5 0 0\na 0 0 0 0 0\n%%% 5 5 5 5 5\n");
        assertThat(another().pass("a", RATE)).isEmpty();
    }
}
