package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.config.Config;
import dev.cordon.job.Job;
import dev.cordon.result.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a flight recording holds of jobs. */
@Tag("jail")
class JobEventJailTest {
    @TempDir
    Path directory;

    @Test
    void aRecordingShowsEveryJobAndItsViolations() throws Exception {
        Path config = directory.resolve("config.toml");
        Files.writeString(config, "[paths]\nstate = \"" + directory + "/state\"\nrun = \"" + directory + "/run\"\n");
        try (Recording recording = new Recording();
                Cordon cordon = Cordon.open(Config.load(config))) {
            recording.enable("dev.cordon.Job").withThreshold(Duration.ZERO);
            recording.enable("dev.cordon.Violation");
            recording.start();
            Result good = cordon.run(Job.argv("true"));
            Result bad = cordon.run(Job.argv("unshare", "--user", "true"));
            Result none = cordon.run(Job.argv("nosuchprogram"));
            List<RecordedEvent> events = events(recording, 3);
            assertThat(events)
                    .extracting(event -> event.getString("id"))
                    .containsExactlyInAnyOrder(
                            good.id().value(), bad.id().value(), none.id().value());
            RecordedEvent first = of(events, good);
            assertThat(first.getString("outcome")).isEqualTo(good.outcome().label());
            assertThat(first.getString("isolation")).isEqualTo("jail");
            assertThat(first.getDuration()).isGreaterThan(first.getDuration("start"));
            assertThat(of(events, bad).getLong("violations")).isPositive();
        }
    }

    private static RecordedEvent of(List<RecordedEvent> events, Result result) {
        return events.stream()
                .filter(event -> event.getString("id").equals(result.id().value()))
                .findFirst()
                .orElseThrow();
    }

    /** They are recorded soon after the result is known. */
    private List<RecordedEvent> events(Recording recording, int count) {
        Path file = directory.resolve("jobs.jfr");
        return Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(
                        () -> {
                            recording.dump(file);
                            return RecordingFile.readAllEvents(file).stream()
                                    .filter(event ->
                                            event.getEventType().getName().equals("dev.cordon.Job"))
                                    .toList();
                        },
                        events -> events.size() == count);
    }
}
