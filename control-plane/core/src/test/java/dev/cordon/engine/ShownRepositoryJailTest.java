package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.Cordon;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repository of somebody else's. Not as a user: a job that has its caller's id owns what it is shown. */
@Tag("jail")
final class ShownRepositoryJailTest {
    @OpenCordon
    private static Cordon cordon;

    /** Without a word in its settings git refuses what belongs to somebody else, as all that is shown does where the host is root's. */
    @Test
    void gitReadsARepositoryThatIsShown(@TempDir Path folder) throws Exception {
        assumeTrue(Sandboxes.root(), "a job may have the id of its caller, who owns the repository");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path repository = folder.resolve("repository");
        String make = "umask 022; git init -q \"$1\" && cd \"$1\" && echo text >file && git add file"
                + " && git -c user.name=a -c user.email=a@b commit -qm first";
        Process git = new ProcessBuilder("sh", "-c", make, "sh", repository.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as(said).isZero();
        Job job = Job.shell("""
            git -C /srv/repository status --short --branch && git clone -q /srv/repository copy && cat copy/file
            """).readOnly(repository, "/srv/repository");
        Result result = cordon.run(job);
        assertThat(result.stdoutText())
                .as(result.stderrText())
                .endsWith("text\n")
                .contains("## ");
        Result without = cordon.run(job.env("GIT_CONFIG_NOSYSTEM", "1"));
        assertThat(without.outcome()).as("the control").isEqualTo(new Outcome.Exited(128));
        assertThat(without.stderrText()).contains("dubious ownership");
    }
}
