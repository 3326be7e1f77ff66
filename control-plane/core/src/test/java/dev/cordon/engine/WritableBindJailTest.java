package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.engine.lease.DirectoryTree;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A live writable bind: results come out, traps do not. */
@Tag("jail")
@Tag("asUser")
final class WritableBindJailTest {
    /** Somebody who is not root; as root the directory is given to this id. */
    private static final int OWNER = 54_321;

    @OpenCordon
    private static Cordon cordon;

    @TempDir
    private Path closed; // mode 0700, as JUnit makes it

    private Path out;

    @BeforeEach
    void makeDirectory() throws IOException {
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        out = Files.createDirectory(closed.resolve("out"));
        if (Sandboxes.root()) {
            Files.setAttribute(out, "unix:gid", OWNER);
            Files.setAttribute(out, "unix:uid", OWNER);
        }
    }

    @Test
    void resultsComeOut() throws IOException {
        Result result =
                cordon.run(Job.argv("sh", "-c", "echo result > /out/r.txt").readWrite(out, "/out"));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(out.resolve("r.txt")).hasContent("result");
        assertThat(Files.getAttribute(out.resolve("r.txt"), "unix:uid"))
                .isEqualTo(Sandboxes.root() ? OWNER : Sandboxes.uid());
    }

    @Test
    void setuidFilesDoNot() throws IOException {
        assertNoSetIdFiles(job -> job);
    }

    /** One that was written for a sandbox in which such files are harmless. */
    @Test
    void norDoTheyUnderAProfileThatAllowsThem() throws IOException {
        Path profile = Files.writeString(closed.resolve("mine.json"), "{\"defaultAction\": \"SCMP_ACT_ALLOW\"}");
        assertNoSetIdFiles(job -> job.profile(profile));
    }

    private void assertNoSetIdFiles(UnaryOperator<Job> with) throws IOException {
        String script = """
            cp /bin/true /out/a && chmod 4755 /out/a && echo chmod
            cp /bin/true /out/b && chmod 2755 /out/b && echo chmod
            python3 -c 'import os; os.open("/out/c", os.O_CREAT|os.O_WRONLY, 0o4755)' 2>/dev/null && echo open
            python3 -c 'import os; os.mknod("/out/d", 0o104755)' 2>/dev/null && echo mknod
            true
            """;
        Result result = cordon.run(with.apply(Job.argv("bash", "-c", script).readWrite(out, "/out")));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdoutText()).isEmpty();
        try (var files = Files.list(out)) {
            assertThat(files)
                    .allSatisfy(file -> assertThat((Integer) Files.getAttribute(file, "unix:mode") & 06000)
                            .isZero());
        }
    }

    @Test
    void aJobIsEndedForWhatItWritesThere() {
        String script = "i=0; while true; do head -c 1000000 /dev/zero > /out/f$i; i=$((i+1)); sleep 0.01; done";
        Result grown =
                cordon.run(Job.argv("sh", "-c", script).readWrite(out, "/out").disk(ByteSize.mib(8)));
        assertThat(grown.outcome()).isEqualTo(new Outcome.DiskLimit(new Outcome.Signaled(9)));
    }

    /** Below a path that is too long for any name, and deeper than anybody looks. */
    @ParameterizedTest
    @ValueSource(strings = {"25, 'd' * 200, 64", "70, 'd', 0"})
    void nothingIsHiddenByItsDepth(String shape) throws IOException {
        String script = """
            import os, time
            depth, name, mib = %s
            os.chdir('/out')
            for _ in range(depth):
                os.mkdir(name)
                os.chdir(name)
            with open('f', 'wb') as file: file.write(bytes(mib << 20))
            time.sleep(600)
            """.formatted(shape);
        Result result = cordon.run(Job.python(script)
                .readWrite(out, "/out")
                .disk(ByteSize.mib(8))
                .limit(Limit.FILE_SIZE, "100M")
                .timeout(Duration.ofMinutes(2)));
        assertThat(result.outcome()).isEqualTo(new Outcome.DiskLimit(new Outcome.Signaled(9)));
        DirectoryTree.delete(closed, "out"); // JUnit would name it by paths that are too long
    }

    @Test
    void pageCacheIsGivenBackInsteadOfKilledFor() {
        Result result = cordon.run(Sandboxes.payload("cache", "128")
                .readWrite(out, "/out")
                .workdir("/out")
                .memory(ByteSize.mib(64))
                .disk(ByteSize.mib(256))
                .timeout(Duration.ofMinutes(2)));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        if (Sandboxes.holds(WholeJobLimit.MEMORY)) {
            assertThat(result.usage().peakMemory()).isLessThanOrEqualTo(ByteSize.mib(65));
        }
    }

    @Test
    void openDirectoriesAreRefused() throws IOException {
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        Outcome outcome = cordon.run(Job.argv("true").readWrite(out, "/out")).outcome();
        assertThat(outcome).isInstanceOf(Outcome.Invalid.class);
        assertThat(((Outcome.Invalid) outcome).errors().getFirst().message()).contains("0700");
    }

    @Test
    void rootsDirectoriesAreRefused() throws IOException {
        if (Sandboxes.root()) {
            Path roots = Files.createDirectory(closed.resolve("roots"));
            assertThat(cordon.run(Job.argv("true").readWrite(roots, "/out")).outcome())
                    .isInstanceOf(Outcome.Invalid.class);
        } else {
            assertThat(cordon.run(Job.argv("true").readWrite(Path.of("/etc"), "/out"))
                            .outcome())
                    .isInstanceOf(Outcome.Invalid.class);
        }
    }
}
