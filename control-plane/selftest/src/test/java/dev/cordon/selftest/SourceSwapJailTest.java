package dev.cordon.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.WeakenedCordon;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C-03: a source that becomes a link after it was judged is not followed; the job is refused. */
@Tag("jail")
@Tag("asUser")
final class SourceSwapJailTest {
    @TempDir
    Path directory;

    private Path secret;
    private Path shown;

    @BeforeEach
    void prepare() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        secret = open(Files.createDirectory(directory.resolve("secret")));
        Files.writeString(secret.resolve("file"), "secret");
        shown = open(Files.createDirectory(directory.resolve("shown")));
        Files.writeString(shown.resolve("file"), "shown");
    }

    private static Path open(Path made) throws IOException {
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Job job() {
        return Job.argv("cat", "/opt/in/file").readOnly(shown, "/opt/in");
    }

    @Test
    void theControlShowsWhatWasPlanned() throws IOException {
        try (Cordon cordon = WeakenedCordon.changing(plan -> plan)) {
            assertThat(cordon.run(job()).stdoutText()).isEqualTo("shown");
        }
    }

    @Test
    void aDirectoryThatBecameALinkIsNotFollowed() throws IOException {
        assertRefused(() -> {
            Files.delete(shown.resolve("file"));
            Files.delete(shown);
            Files.createSymbolicLink(shown, secret);
        });
    }

    @Test
    void aParentThatBecameALinkIsNotFollowed() throws IOException {
        Path parent = open(Files.createDirectory(directory.resolve("parent")));
        Path inner = open(Files.createDirectory(parent.resolve("shown")));
        Files.writeString(inner.resolve("file"), "shown");
        Path evil = open(Files.createDirectory(directory.resolve("evil")));
        Path other = open(Files.createDirectory(evil.resolve("shown")));
        Files.writeString(other.resolve("file"), "secret");
        shown = inner;
        assertRefused(() -> {
            Files.move(parent, directory.resolve("moved"));
            Files.createSymbolicLink(parent, evil);
        });
    }

    private void assertRefused(Swap swap) {
        try (Cordon cordon = WeakenedCordon.changing(plan -> {
            try {
                swap.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return plan;
        })) {
            Result result = cordon.run(job());
            assertThat(result.stdoutText()).isEmpty();
            assertThat(result.outcome()).isInstanceOf(Outcome.SetupFailed.class);
            Outcome.SetupFailed failed = (Outcome.SetupFailed) result.outcome();
            // As root the supervisor opens the sources, rootless init does when it mounts them.
            assertThat(failed.stage()).isIn("sources", "mounts");
            assertThat(failed.error()).isEqualTo("ELOOP");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @FunctionalInterface
    private interface Swap {
        void run() throws IOException;
    }
}
