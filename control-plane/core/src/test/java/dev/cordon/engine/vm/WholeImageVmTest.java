package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarWriter;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.LayerStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docker save writes, imported and run as it is: in a jail and in a machine alike. */
@Tag("vm")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WholeImageVmTest {
    private static final String NAME = "whole-image-test";

    /** The second document's agent: it works where its image says, reads an input and writes an output. */
    private static final String AGENT = """
        echo "$MODE in $(pwd)"
        cat input/message.txt /opt/tool/data /etc/own.conf /var/lib/data/state
        echo done >output/result.txt
        """;

    private static Cordon cordon;
    private static Images images;

    @BeforeAll
    static void importImage(@TempDir Path folder) throws IOException {
        Config config = Machinery.config(0);
        images = new Images(
                new LayerStore(config.stateDirectory().resolve("vm")),
                config.vm().images(),
                BuildProgress.silent());
        images.importArchive(NAME, Files.write(folder.resolve("saved.tar"), saved()));
        cordon = Cordon.open(config);
    }

    @AfterAll
    static void remove() throws IOException {
        cordon.close();
        images.remove(NAME);
    }

    private static byte[] saved() throws IOException {
        byte[] layer = layer();
        byte[] config = """
            {"architecture": "amd64", "os": "linux",
             "config": {"Env": ["PATH=/usr/bin", "MODE=batch"], "WorkingDir": "/app", "User": "agent",
                        "Entrypoint": ["/usr/bin/sh"], "Cmd": ["agent.sh"]},
             "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}
            """.formatted(sha256(layer)).getBytes(StandardCharsets.UTF_8);
        String name = sha256(config) + ".json";
        byte[] manifest = "[{\"Config\": \"%s\", \"Layers\": [\"one/layer.tar\"]}]"
                .formatted(name)
                .getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(bytes);
        file(tar, "manifest.json", 0644, manifest);
        file(tar, name, 0644, config);
        file(tar, "one/layer.tar", 0644, layer);
        tar.finish();
        return bytes.toByteArray();
    }

    /** The host's shell with its libraries, a few programs, and an application of its own. */
    private static byte[] layer() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(bytes);
        for (String program : List.of("sh", "cat", "ls", "id", "stat", "touch", "env")) {
            hostFile(tar, "usr/bin/" + program, Path.of("/usr/bin", program));
        }
        Path libraries = Path.of("/usr/lib/x86_64-linux-gnu");
        for (String library : List.of("libc.so.6", "libselinux.so.1", "libpcre2-8.so.0")) {
            hostFile(tar, "usr/lib/x86_64-linux-gnu/" + library, libraries.resolve(library));
        }
        hostFile(tar, "usr/lib64/ld-linux-x86-64.so.2", Path.of("/lib64/ld-linux-x86-64.so.2"));
        for (String merged : List.of("bin", "lib", "lib64")) {
            link(tar, merged, "usr/" + merged);
        }
        link(tar, "var/run", "/run");
        tar.write(TarEntry.directory("run", 0755, 0));
        text(tar, "app/agent.sh", AGENT);
        text(tar, "opt/tool/data", "tool\n");
        text(tar, "etc/own.conf", "own\n");
        text(tar, "etc/passwd", "root:x:0:0::/root:/bin/sh\nagent:x:1001:1001::/home/agent:/bin/sh\n");
        text(tar, "var/lib/data/state", "state\n");
        text(tar, "home/agent/notes", "notes\n");
        tar.finish();
        return bytes.toByteArray();
    }

    private static void hostFile(TarWriter tar, String path, Path file) throws IOException {
        file(tar, path, 0755, Files.readAllBytes(file));
    }

    private static void text(TarWriter tar, String path, String text) throws IOException {
        file(tar, path, 0644, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void file(TarWriter tar, String path, int mode, byte[] content) throws IOException {
        tar.write(TarEntry.file(path, content.length, mode, 0), new ByteArrayInputStream(content));
    }

    private static void link(TarWriter tar, String path, String target) throws IOException {
        tar.write(new TarEntry(path, TarEntry.Kind.SYMBOLIC_LINK, 0777, 0, 0, 0, 0, target));
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String printed(Job job, Isolation level) {
        Result result = cordon.run(ContractCase.sized(job.image(NAME), level));
        assertThat(result.outcome())
                .as("%s %s", result.stdoutText(), result.stderrText())
                .isEqualTo(new Outcome.Exited(0));
        return result.stdoutText();
    }

    @Test
    void itsOwnCommandRunsWhereAndHowItSays(@TempDir Path folder) throws IOException {
        Path in = Files.createDirectory(folder.resolve("in"));
        Files.writeString(in.resolve("message.txt"), "hello\n");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Result result = cordon.run(
                ContractCase.sized(Job.ofImage(NAME).readOnly(in, "/app/input").env("MODE", "own"), Isolation.JAIL));
        assertThat(result.stdoutText()).isEqualTo("own in /app\nhello\ntool\nown\nstate\n");
        assertThat(result.stderrText()).as("no output folder was given").contains("output/result.txt");
    }

    /** The image's command, directory and variables; of these the job may bring others. A machine is shown no directory of the host. */
    @Test
    void itsOwnCommandHasOneResultInJailAndMachine() {
        Result jail = inJailAndMachineAlike(Job.ofImage(NAME));
        assertThat(jail.stdoutText()).isEqualTo("batch in /app\ntool\nown\nstate\n");
        assertThat(jail.stderrText()).contains("input/message.txt", "output/result.txt");
        assertThat(inJailAndMachineAlike(Job.ofImage(NAME).env("MODE", "own")).stdoutText())
                .startsWith("own in /app\n");
    }

    private static Result inJailAndMachineAlike(Job job) {
        Result jail = cordon.run(ContractCase.sized(job, Isolation.JAIL));
        Result machine = cordon.run(ContractCase.sized(job, Isolation.VM));
        assertThat(machine.stdoutText()).isEqualTo(jail.stdoutText());
        assertThat(machine.stderrText()).isEqualTo(jail.stderrText());
        assertThat(machine.outcome()).isEqualTo(jail.outcome());
        return jail;
    }

    /** But for /sys: in a jail it tells of the job's limits, in a machine the machine itself does. */
    @Test
    void jailAndMachineHaveTheSameFilesAndTheSameEnvironment() {
        Job look = Job.argv("sh", "-c", """
            env; id; pwd; cat /etc/passwd
            cd / && ls -AR app bin etc home lib lib64 opt run srv usr/bin var dev/pts 2>/dev/null; ls -A / /dev
            stat -c '%n %a %u %g %F' /[!s]* /app/* /etc/* /opt/* /var/* /home/*/*
            """);
        String jail = printed(look, Isolation.JAIL);
        assertThat(jail)
                .contains("MODE=batch", "PWD=/app", "uid=1000(cordon)", "agent:x:1001", "/home/agent/notes")
                .doesNotContain("debian_version");
        assertThat(printed(look, Isolation.VM)).isEqualTo(jail);
    }

    @Test
    void nothingOfTheHostStandsOnTheRootOrAboveIt() {
        Job look =
                Job.argv("sh", "-c", "cat /proc/self/mountinfo; echo; ls -A /..; ls -A /../../proc/1/root 2>&1; true");
        String seen = printed(look, Isolation.JAIL);
        List<String> mounts = seen.substring(0, seen.indexOf("\n\n")).lines().toList();
        assertThat(mounts)
                .allMatch(line ->
                        line.matches("\\d+ \\d+ \\S+ \\S+ (/|/dev(/.*)?|/proc(/.*)?|/sys(/.*)?|/tmp|/workspace) .* -"
                                + " (overlay|tmpfs|proc|devpts|devtmpfs|cgroup2?) .*"))
                .noneMatch(line -> line.contains(NAME));
        assertThat(mounts.stream().filter(line -> line.matches("\\d+ \\d+ \\S+ \\S+ / .*")))
                .singleElement()
                .asString()
                .contains(" ro,nosuid,nodev");
        assertThat(seen).as("'..' at the root stays there").contains("\napp\n").doesNotContain("\nboot\n");
    }

    @Test
    void anImageCannotBeWrittenTo() {
        for (Isolation level : List.of(Isolation.JAIL, Isolation.VM)) {
            assertThat(printed(Job.argv("sh", "-c", """
                for at in / /app /etc /opt/tool /var/lib /usr/bin /dev; do
                    touch $at/new 2>/dev/null && echo "wrote to $at"
                done
                touch /tmp/a /var/tmp/b /workspace/c && echo own
                """), level)).isEqualTo("own\n");
        }
    }
}
