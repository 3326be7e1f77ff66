package dev.cordon.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.LogVerification;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.audit.write.AuditLog;
import dev.cordon.config.AuditSettings;
import dev.cordon.fixture.JavaProcess;
import dev.cordon.job.limit.ByteSize;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever is killed while writing: what was reported is in the log, and the log is whole. */
class AuditCrashTest {
    private static final int ROUNDS = 4;
    private static final int WRITERS = 2;

    @TempDir
    private Path folder;

    @Test
    void killedWritersLoseNoReportedResult() throws Exception {
        Path directory = folder.resolve("audit");
        List<String> reported = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<Process> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(start(directory, round + "_" + i));
            }
            // Killed at a different place in each round; the rest of what they said is read after their death.
            for (Process writer : writers) {
                BufferedReader out = writer.inputReader(StandardCharsets.US_ASCII);
                for (int line = 0; line < 20 + 17 * round; line++) {
                    reported.add(out.readLine());
                }
            }
            for (Process writer : writers) {
                // Process.destroyForcibly would close the pipe, and with it what was said last.
                writer.toHandle().destroyForcibly();
                assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
                reported.addAll(wholeLines(writer));
            }
        }
        try (AuditLog log = new AuditLog(settings(directory))) {
            log.record(List.of(Events.ended("job_last"))).get();
        }
        LogVerification found = LogVerifier.verify(directory, List.of());
        assertThat(found.breakage()).isNull();
        Set<String> recorded = new AuditReader(directory)
                .last(Integer.MAX_VALUE, record -> true).stream()
                        .map(record -> record.text("job"))
                        .collect(Collectors.toSet());
        assertThat(reported).isNotEmpty().doesNotContainNull();
        assertThat(recorded).containsAll(reported);
    }

    private static List<String> wholeLines(Process writer) throws IOException {
        List<String> lines = new ArrayList<>();
        String rest = writer.inputReader(StandardCharsets.US_ASCII).lines().collect(Collectors.joining("\n"));
        for (String line : rest.split("\n", -1)) {
            if (line.endsWith("-whole")) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static AuditSettings settings(Path directory) {
        return new AuditSettings(true, directory, ByteSize.kib(64), false);
    }

    private static Process start(Path directory, String name) throws IOException {
        return new ProcessBuilder(JavaProcess.line(Writer.class, directory.toString(), name))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Records jobs from several threads until it is killed, and says the id of each whose end is on the disk. */
    static final class Writer {
        private static final int THREADS = 4;

        private Writer() {}

        @SuppressWarnings("InfiniteLoopStatement")
        public static void main(String[] arguments) {
            AuditLog log = new AuditLog(settings(Path.of(arguments[0])));
            for (int thread = 0; thread < THREADS; thread++) {
                String name = arguments[1] + "_" + thread;
                Thread.ofPlatform().start(() -> {
                    for (int i = 0; ; i++) {
                        String id = "job_" + name + "_" + i + "-whole";
                        try {
                            log.admit(List.of(Events.decided(id)));
                        } catch (AuditUnavailable e) {
                            throw new IllegalStateException(e);
                        }
                        log.record(List.of(Events.violated(id), Events.ended(id)))
                                .join();
                        byte[] line = (id + "\n").getBytes(StandardCharsets.US_ASCII);
                        System.out.write(line, 0, line.length);
                        System.out.flush();
                    }
                });
            }
        }
    }
}
