package dev.cordon.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.SandboxFileException;
import dev.cordon.SandboxFiles;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.ArchiveLimits;
import dev.cordon.result.ArchiveSummary;
import dev.cordon.result.FileEntry;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files in and out of sandboxes whose work directories are hostile. */
@Tag("jail")
@Tag("asUser")
final class SandboxFilesJailTest {
    @OpenCordon
    private static Cordon cordon;

    private static Sandbox sandbox() {
        return cordon.openSandbox(SandboxSpec.create());
    }

    private static void python(Sandbox sandbox, String code) {
        Result result = sandbox.run(Job.python(code).timeout(Duration.ofMinutes(2)));
        assertThat(result.outcome()).describedAs(result.stderrText()).isEqualTo(new Outcome.Exited(0));
    }

    private static List<FileEntry> list(Sandbox sandbox, String path) throws IOException {
        try (Stream<FileEntry> entries = sandbox.files().list(path)) {
            return entries.toList();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "JAIL"})
    void filesGoInAndOut(Isolation isolation) throws IOException {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().isolation(isolation))) {
            SandboxFiles files = sandbox.files();
            files.put("in/deep/a.txt", "hello".getBytes(UTF_8));
            files.put("/workspace/run.sh", new ByteArrayInputStream("echo ran".getBytes(UTF_8)), 0755);
            assertThat(sandbox.run(Job.shell("cat in/deep/a.txt; ./run.sh; echo out > b.txt"))
                            .stdoutText())
                    .isEqualTo("helloran\n");
            assertThat(files.get("b.txt")).asString().isEqualTo("out\n");
            FileEntry entry = files.stat("run.sh");
            assertThat(entry.path()).isEqualTo("/workspace/run.sh");
            assertThat(entry.kind()).isEqualTo(FileEntry.Kind.FILE);
            assertThat(entry.size()).isEqualTo(ByteSize.bytes(8));
            assertThat(entry.mode()).isEqualTo(0755);
            files.mkdir("made/too");
            assertThat(list(sandbox, "")).extracting(FileEntry::name).contains("in", "run.sh", "b.txt", "made");
            files.delete("in");
            assertThatThrownBy(() -> files.get("in/deep/a.txt"))
                    .isInstanceOf(SandboxFileException.class)
                    .hasMessageContaining("is not there");
        }
    }

    @Test
    void pathsThatMeanSomethingElseAreRefused() {
        try (Sandbox sandbox = sandbox()) {
            SandboxFiles files = sandbox.files();
            for (String path : List.of(
                    "../etc/passwd",
                    "/etc/passwd",
                    "a//b",
                    "a/./b",
                    "/workspace/../etc",
                    "/",
                    "/proc/1/root",
                    "a\0b",
                    "x".repeat(256),
                    "/tmpfoo")) {
                assertThatThrownBy(() -> files.get(path)).describedAs(path).isInstanceOf(SandboxFileException.class);
                assertThatThrownBy(() -> files.put(path, new byte[1])).isInstanceOf(SandboxFileException.class);
            }
            assertThatThrownBy(() -> files.delete("/workspace")).isInstanceOf(SandboxFileException.class);
            assertThatThrownBy(() -> files.create("a", 04755)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void namesMayBeAnything() throws IOException {
        try (Sandbox sandbox = sandbox()) {
            python(sandbox, """
                import os
                os.mkdir('n'); os.chdir('n')
                for name in [b'new\\nline', b'bad\\xff\\xfeutf8', b'x' * 255, b'-rf', b'..x', b'...', b' ', b'*',
                             b'\\x1b[31m', 'ätherbild'.encode(), '\\u202egnp'.encode(), b'\\xed\\xa0\\x80']:
                    open(name, 'w').write('content of ' + repr(name))
                """);
            List<FileEntry> entries = list(sandbox, "n");
            assertThat(entries).hasSize(12);
            for (FileEntry entry : entries) {
                assertThat(new String(sandbox.files().get(entry.path()), UTF_8)).startsWith("content of b");
                assertThat(entry.display())
                        .doesNotContain("\n")
                        .doesNotContain("\u001b")
                        .doesNotContain("\u202e");
            }
            assertThat(entries).extracting(FileEntry::display).contains("/workspace/n/bad\\xff\\xfeutf8");
            ByteArrayOutputStream tar = new ByteArrayOutputStream();
            assertThat(sandbox.files().getArchive("n", tar).files()).isEqualTo(12);
            sandbox.files().putArchive("copy", new ByteArrayInputStream(tar.toByteArray()), ArchiveLimits.defaults());
            python(sandbox, "import os\nassert sorted(os.listdir(b'n')) == sorted(os.listdir(b'copy/n'))");
            sandbox.files().delete("n");
            assertThatThrownBy(() -> list(sandbox, "n")).isInstanceOf(SandboxFileException.class);
        }
    }

    @Test
    void linksAreNeverFollowed(@TempDir Path host) throws IOException {
        Path secret = Files.writeString(host.resolve("secret"), "the host's");
        try (Sandbox sandbox = sandbox()) {
            python(sandbox, """
                import os
                os.mkdir('d')
                for name, target in [('passwd', '/etc/passwd'), ('root', '/proc/self/root'), ('init', '/proc/1/root/etc'),
                                     ('nowhere', '/no/such'), ('loop', 'loop'), ('up', '../../../../..'), ('dir', 'd'),
                                     ('host', '%s'), ('fd', '/proc/self/fd/0'), ('cwd', '/proc/1/cwd')]:
                    os.symlink(target, name)
                """.formatted(secret));
            SandboxFiles files = sandbox.files();
            for (String path : List.of(
                    "passwd",
                    "root",
                    "root/etc/passwd",
                    "init/passwd",
                    "nowhere",
                    "loop",
                    "up/etc/passwd",
                    "dir/x",
                    "host",
                    "fd",
                    "cwd/etc/passwd")) {
                assertThatThrownBy(() -> files.get(path)).describedAs(path).isInstanceOf(SandboxFileException.class);
                assertThatThrownBy(() -> files.put(path, new byte[1]))
                        .describedAs(path)
                        .isInstanceOf(SandboxFileException.class);
                assertThatThrownBy(() -> list(sandbox, path))
                        .describedAs(path)
                        .isInstanceOf(SandboxFileException.class);
            }
            assertThat(files.stat("passwd").kind()).isEqualTo(FileEntry.Kind.LINK);
            ByteArrayOutputStream tar = new ByteArrayOutputStream();
            ArchiveSummary summary = files.getArchive("/workspace", tar);
            assertThat(summary.files()).isZero();
            assertThat(summary.skips()).isEqualTo(10);
            assertThat(tar.toString(UTF_8)).doesNotContain("the host's").doesNotContain("root:");
            files.delete("host");
            files.delete("up");
            assertThat(secret).hasContent("the host's");
        }
    }

    @Test
    void pipesSocketsAndDevicesAreNotOpened() throws IOException {
        try (Sandbox sandbox = sandbox()) {
            python(sandbox, """
                import os, socket, stat
                os.mkfifo('fifo')
                socket.socket(socket.AF_UNIX).bind('socket')
                for kind in (stat.S_IFCHR, stat.S_IFBLK):
                    try:
                        os.mknod('device', kind | 0o666, os.makedev(1, 3))
                        raise SystemExit('a device was made')
                    except PermissionError:
                        pass
                """);
            for (String path : List.of("fifo", "socket")) {
                assertThatThrownBy(() -> sandbox.files().get(path))
                        .isInstanceOf(SandboxFileException.class)
                        .hasMessageContaining("not a regular file");
                assertThatThrownBy(() -> sandbox.files().put(path, new byte[1]))
                        .isInstanceOf(SandboxFileException.class);
                assertThat(sandbox.files().stat(path).kind()).isEqualTo(FileEntry.Kind.OTHER);
            }
            assertThat(sandbox.files()
                            .getArchive("", OutputStream.nullOutputStream())
                            .skips())
                    .isEqualTo(2);
        }
    }

    @Test
    void modesAreDroppedToPermissions() throws IOException {
        try (Sandbox sandbox = sandbox()) {
            python(sandbox, """
                import os
                open('suid', 'w').close()
                try:
                    os.chmod('suid', 0o6755)
                except PermissionError:
                    pass
                """);
            assertThat(sandbox.files().stat("suid").mode() & ~0777).isZero();
            assertThat(list(sandbox, ""))
                    .allSatisfy(entry -> assertThat(entry.mode() & ~0777).isZero());
        }
    }

    @Test
    void sparseAndGrowingFilesHaveAnEnd() throws IOException {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().disk(ByteSize.mib(64)))) {
            python(sandbox, "open('sparse', 'w').truncate(64 << 20)");
            try (InputStream in = sandbox.files().open("sparse")) {
                long count = 0;
                byte[] piece = new byte[1 << 20];
                for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                    count += n;
                }
                assertThat(count).isEqualTo(64 << 20);
            }
            RunningJob grower = sandbox.start(Job.shell("while :; do echo line >> growing; done"));
            org.awaitility.Awaitility.await().until(() -> exists(sandbox, "growing"));
            assertThat(sandbox.files().get("growing").length).isLessThan(64 << 20);
            grower.cancel();
        }
    }

    private static boolean exists(Sandbox sandbox, String path) throws IOException {
        try {
            return sandbox.files().stat(path).size().bytes() > 0;
        } catch (SandboxFileException e) {
            return false;
        }
    }

    @Test
    void aFileThatShrinksGivesWhatWasThereAndSaysSo() throws IOException {
        try (Sandbox sandbox = sandbox()) {
            python(sandbox, "open('f', 'w').write('x' * 1000000)");
            try (InputStream in = sandbox.files().open("f")) {
                assertThat(in.readNBytes(100_000)).hasSize(100_000);
                python(sandbox, "open('f', 'r+').truncate(10)");
                assertThatThrownBy(in::readAllBytes)
                        .isInstanceOf(SandboxFileException.class)
                        .hasMessageContaining("shrank while it was read");
            }
        }
    }

    @Test
    void aFullSandboxSaysSo() {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().disk(ByteSize.mib(1)))) {
            assertThatThrownBy(() -> sandbox.files().put("big", new byte[2 << 20]))
                    .isInstanceOf(SandboxFileException.class)
                    .hasMessageContaining("disk or file limit");
            assertThat(sandbox.run(Job.argv("true")).outcome()).isEqualTo(new Outcome.Exited(0));
        }
    }

    @Test
    void twoHundredThousandEntriesAreListed() throws IOException {
        try (Sandbox sandbox = cordon.openSandbox(
                SandboxSpec.create().files(300_000).memory(ByteSize.gib(1)).disk(ByteSize.mib(512)))) {
            python(sandbox, """
                import os
                os.mkdir('many'); os.chdir('many')
                for i in range(200000):
                    os.close(os.open(str(i), os.O_CREAT | os.O_WRONLY))
                """);
            try (Stream<FileEntry> entries = sandbox.files().list("many")) {
                assertThat(entries.filter(entry -> entry.kind() == FileEntry.Kind.FILE)
                                .count())
                        .isEqualTo(200_000);
            }
            try (Stream<FileEntry> entries = sandbox.files().list("many")) {
                assertThat(entries.limit(3).count()).isEqualTo(3);
            }
            sandbox.files().delete("many");
        }
    }

    @Test
    void replacementWhileTheHostReadsLeadsNowhere(@TempDir Path host) throws Exception {
        Path secret = Files.writeString(host.resolve("secret"), "SECRET of the host");
        try (Sandbox sandbox = sandbox();
                RunningJob swapper = sandbox.start(
                        Job.python("""
                            import os
                            os.makedirs('real/sub'); open('real/f', 'w').write('inside'); open('real/sub/passwd', 'w').write('inside')
                            os.makedirs('d')
                            print('ready', flush=True)
                            while True:
                                for target in ('%s', '/etc/passwd', '/proc/1/root/etc/passwd', 'real/f'):
                                    os.symlink(target, 'l'); os.replace('l', 'f')
                                    open('t', 'w').write('inside'); os.replace('t', 'f')
                                for target in ('/etc', '/proc/1/root/etc', '%s', 'real/sub'):
                                    os.rename('d', 'away'); os.symlink(target, 'd')
                                    os.unlink('d'); os.rename('away', 'd')
                            """.formatted(secret, host)).streaming().timeout(Duration.ofMinutes(5)))) {
            assertThat(swapper.stdout().readNBytes(6)).asString().isEqualTo("ready\n");
            Instant end = Instant.now().plus(Duration.ofSeconds(2));
            int seen = 0;
            while (Instant.now().isBefore(end)) {
                seen += quietly(() -> sandbox.files().get("f"));
                quietly(() -> sandbox.files().get("d/passwd"));
                quietly(() -> sandbox.files().get("d/secret"));
                quietly(() -> {
                    sandbox.files().put("d/passwd", "inside".getBytes(UTF_8));
                    return new byte[0];
                });
                ByteArrayOutputStream tar = new ByteArrayOutputStream();
                try {
                    sandbox.files().getArchive("", tar);
                } catch (SandboxFileException e) {
                    assertThat(e).hasMessageNotContaining("SECRET");
                }
                assertThat(tar.toString(UTF_8)).doesNotContain("SECRET").doesNotContain("root:x:0");
            }
            assertThat(seen).isPositive();
        }
        assertThat(secret).hasContent("SECRET of the host");
        assertThat(Files.readString(Path.of("/etc/passwd"))).contains("root:");
    }

    private interface Read {
        byte[] run() throws IOException;
    }

    private static int quietly(Read read) throws IOException {
        try {
            String text = new String(read.run(), UTF_8);
            assertThat(text).isIn("inside", "");
            return 1;
        } catch (SandboxFileException e) {
            return 0;
        }
    }

    @Test
    void aGoneSandboxSaysSo() {
        Sandbox sandbox = sandbox();
        sandbox.close();
        assertThatThrownBy(() -> sandbox.files().get("a"))
                .isInstanceOf(SandboxFileException.class)
                .hasMessageContaining("was closed");
    }
}
