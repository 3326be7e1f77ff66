package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.config.AuditSettings;
import dev.cordon.config.Config;
import dev.cordon.config.IdRange;
import dev.cordon.fixture.JavaProcess;
import dev.cordon.job.Job;
import dev.cordon.plan.host.HostSurvey;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that really is full: a small tmpfs in a mount namespace of its own. Nothing starts, and everything does again by itself. */
@Tag("jail")
class AuditFullDiskJailTest {
    private static final int MOST_RUNS = 100;

    @TempDir
    private Path folder;

    @Test
    void aFullDiskAdmitsNothingUntilThereIsRoom() throws Exception {
        Path output = folder.resolve("output");
        Path disk = Files.createDirectories(folder.resolve("disk"));
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "--user",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=256k full \"$1\" && shift && exec \"$@\"",
                "sh",
                disk.toString()));
        command.addAll(JavaProcess.line(Inside.class, disk.toString()));
        Process child = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int code = child.waitFor();
        String said = Files.readString(output);
        assertThat(code).as(said).isZero();
        assertThat(said.lines().filter(line -> line.startsWith("full-disk: ")).map(line -> line.substring(11)))
                .as(said)
                .containsExactly(
                        "runs with room",
                        "refused without: true",
                        "still refused, and nothing started: true",
                        "runs again",
                        "the chain holds: true");
    }

    /** What happens on the small disk. */
    static final class Inside {
        private Inside() {}

        public static void main(String[] arguments) throws IOException {
            Path disk = Path.of(arguments[0]);
            AuditSettings audit = new AuditSettings(true, disk.resolve("audit"), AuditSettings.ROTATE, false);
            Config config =
                    new Config(Map.of(), Map.of(), new IdRange(5000, 10), disk, disk, new TreeMap<>()).withAudit(audit);
            FakeBackend backend = new FakeBackend();
            try (Cordon cordon =
                    new Cordon(config, new HostSurvey(config.ids(), config.runDirectory()), ignored -> backend)) {
                story(cordon, backend, disk.resolve("ballast"));
            }
            say("the chain holds: "
                    + LogVerifier.verify(audit.directory(), List.of()).intact());
        }

        private static void story(Cordon cordon, FakeBackend backend, Path ballast) throws IOException {
            say(cordon.run(Job.argv("true")).succeeded() ? "runs with room" : "does not run");
            fill(ballast);
            // What is left of the last page takes a few records more.
            say("refused without: "
                    + Stream.generate(() -> cordon.run(Job.argv("true")))
                            .limit(MOST_RUNS)
                            .anyMatch(Inside::refused));
            int before = backend.started.size();
            boolean refused = refused(cordon.run(Job.argv("true")));
            say("still refused, and nothing started: " + (refused && backend.started.size() == before));
            Files.delete(ballast);
            Result after = cordon.run(Job.argv("true"));
            say(after.succeeded() && after.applied().layersMissing().isEmpty() ? "runs again" : after.toString());
        }

        private static boolean refused(Result result) {
            return result.outcome() instanceof Outcome.HostUnsupported host
                    && host.check().contains("audit log")
                    && host.check().contains("No space left");
        }

        private static void fill(Path ballast) {
            byte[] page = new byte[4096];
            try (OutputStream out = Files.newOutputStream(ballast)) {
                while (true) {
                    out.write(page);
                }
            } catch (IOException full) {
                System.out.println("filled: " + full.getMessage());
            }
        }

        private static void say(String line) {
            System.out.println("full-disk: " + line);
        }
    }
}
