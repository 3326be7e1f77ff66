package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.job.Job;
import dev.cordon.result.Artifact;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** While files of a job are collected, nothing of it runs any more. */
@Tag("jail")
@Tag("asUser")
final class LeftBehindJailTest {
    /** No other process has such an argument. */
    private static final String MARK = "86399." + ProcessHandle.current().pid();

    private static boolean runs() {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes.anyMatch(LeftBehindJailTest::isMarked);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isMarked(Path process) {
        try {
            return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8)
                    .startsWith("sleep\0" + MARK + "\0");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void whatAProgramLeftBehindDoesNotOutliveIt() {
        Job job = Job.shell("setsid sh -c 'echo up > /tmp/up; exec sleep " + MARK
                        + "' & until [ -s /tmp/up ]; do :; done; mkdir out; echo 42 > out/answer")
                .artifact("out/**");
        try (Cordon cordon = Cordon.open();
                RunningJob running = cordon.start(job, new OutputListener() {
                    @Override
                    public void output(Source source, byte[] bytes) {}

                    @Override
                    public void artifact(Artifact artifact, byte[] content) {
                        await().atMost(Duration.ofSeconds(60)).until(() -> !runs());
                    }
                })) {
            Result result = running.result().join();
            assertThat(result.collected().artifacts()).as("%s", result).hasSize(1); // a listener that fails takes none
        }
    }
}
