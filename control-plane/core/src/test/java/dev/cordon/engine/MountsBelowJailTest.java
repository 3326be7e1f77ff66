package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.fixture.JavaProcess;
import dev.cordon.job.Job;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An input below which something is mounted, which an overlay does not show: as root that has an overlay of its own, rootless the whole tree
 * is bound as it is. The control plane of this test runs in a mount namespace of its own, where it may mount.
 */
@Tag("jail")
@Tag("asUser")
final class MountsBelowJailTest {
    /** Shows a directory to a job, and tells what the job found. */
    static final class Plane {
        private Plane() {}

        public static void main(String[] arguments) {
            try (Cordon cordon = Cordon.open()) {
                Result result = cordon.run(Job.argv(
                                "sh",
                                "-c",
                                "cat /data/f /data/below/f /data/covered; stat -f -c %T /data /data/below; touch"
                                        + " /data/below/x")
                        .readOnly(Path.of(arguments[0]), "/data"));
                System.out.print(result.stdoutText());
                System.out.println(result.applied().layersMissing().contains("own_inodes") ? "shared" : "own");
                System.out.println(result.outcome());
            }
        }
    }

    @TempDir
    private Path folder;

    private String seen(String mounts) throws IOException, InterruptedException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve("f"), "above\n");
        Files.writeString(folder.resolve("covered"), "secret\n");
        Files.createDirectory(folder.resolve("below"));
        List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
        if (!Sandboxes.root()) {
            command.addAll(List.of("--user", "--map-current-user", "--keep-caps"));
        }
        command.addAll(List.of("sh", "-ec", mounts + "; exec \"$@\" \"$0\"", folder.toString()));
        command.addAll(JavaProcess.line(Plane.class));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private static final String DIRECTORY = "mount -t tmpfs -o mode=755 none \"$0/below\"; echo below > \"$0/below/f\"";

    @Test
    void aDirectoryIsShownAndTheResultTellsWhetherInodesAreShared() throws IOException, InterruptedException {
        String said = seen(DIRECTORY);
        assertThat(Files.exists(folder.resolve("below/f")))
                .as("the mount is in the namespace of the test alone")
                .isFalse();
        if (Sandboxes.root()) {
            assertThat(said).isEqualTo("above\nbelow\nsecret\noverlayfs\noverlayfs\nown\nExited[code=1]\n");
        } else {
            assertThat(said)
                    .startsWith("above\nbelow\nsecret\n")
                    .doesNotContain("overlayfs")
                    .endsWith("shared\nExited[code=1]\n");
        }
    }

    /** Whoever mounts one file on another hides that from the host, and from jobs. */
    @Test
    void whatAFileCoversIsNotUncovered() throws IOException, InterruptedException {
        String said = seen(DIRECTORY + "; mount --bind \"$0/f\" \"$0/covered\"");
        assertThat(said).startsWith("above\nbelow\nabove\n").endsWith("shared\nExited[code=1]\n");
    }
}
