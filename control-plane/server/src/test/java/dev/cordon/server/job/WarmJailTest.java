package dev.cordon.server.job;

import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts are counted apart: in a sandbox that waited, and in one that was made. */
@Tag("jail")
class WarmJailTest {
    @TempDir
    private Path directory;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    void aStartFromThePoolIsCountedAsWarm() throws Exception {
        try (TestService service = new TestService(directory, "max_running = 8", "[pool]", "size = 1")) {
            service.run("{\"argv\":[\"true\"]}");
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                service.run("{\"argv\":[\"true\"]}");
                return service.get(service.reader, "/metrics")
                        .body()
                        .contains("cordon_sandbox_start_seconds_count{isolation=\"jail\",launch=\"warm\"}");
            });
        }
    }
}
