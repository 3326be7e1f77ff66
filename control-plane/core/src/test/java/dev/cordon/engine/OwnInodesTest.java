package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.WeakenedCordon;
import dev.cordon.api.Job;
import dev.cordon.api.Result;
import dev.cordon.api.SandboxSpec;
import dev.cordon.bindings.wire.Fault;
import dev.cordon.bindings.wire.FaultAction;
import dev.cordon.bindings.wire.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a jail shows of the host has inodes of the jail's own. That nobody is met through them is shown by the probes E-03 and E-07. */
@Tag("jail")
final class OwnInodesTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Result run(Job job) {
        try (Cordon cordon = Cordon.open()) {
            return cordon.run(job);
        }
    }

    private static Job shell(String script) {
        return Job.argv("sh", "-c", script);
    }

    @Test
    void theLayerIsThere() {
        Result result = run(shell("stat -f -c %T /usr /etc/ld.so.cache"));
        assertThat(result.stdoutText()).isEqualTo("overlayfs\noverlayfs\n");
        assertThat(result.layersMissing()).doesNotContain("own_inodes");
    }

    @Test
    void anInputIsShownSoToo() throws IOException {
        Path file = Files.writeString(folder.resolve("in put,:"), "content");
        Result result = run(shell("stat -f -c %T /data /one; cat '/data/in put,:' /one")
                .readOnly(folder, "/data")
                .readOnly(file, "/one"));
        assertThat(result.stdoutText()).isEqualTo("overlayfs\noverlayfs\ncontentcontent");
    }

    /** No name of the host's stands in the table of mounts. */
    @Test
    void theTableOfMountsTellsNothingOfTheHost() {
        Result result = run(shell("cat /proc/self/mountinfo").readOnly(folder, "/data"));
        assertThat(result.stdoutText())
                .contains(" /data ")
                .doesNotContain(folder.toString())
                .doesNotContain(folder.getFileName().toString());
        assertThat(result.stdoutText().lines())
                .noneMatch(line -> line.substring(line.indexOf(" - ")).contains(" /dev/"));
    }

    @Test
    void onAKernelThatMakesNoneTheResultSaysSo() throws Exception {
        try (Cordon cordon = WeakenedCordon.without(new Fault(Stage.MOUNTS, FaultAction.PLAIN))) {
            Result result =
                    cordon.run(shell("cat /data/f; stat -f -c %T /usr").readOnly(file("f", "plain"), "/data/f"));
            assertThat(result.stdoutText()).startsWith("plain").doesNotContain("overlayfs");
            assertThat(result.layersMissing()).contains("own_inodes");
        }
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    /** What a sandbox has looked up it keeps; a new one sees what the host has now. Documented in README.md at --ro. */
    @Test
    void aSandboxKeepsWhatItHasLookedUpWhenTheHostReplacesIt() throws IOException {
        file("seen", "old");
        try (Cordon cordon = Cordon.open()) {
            Job look = shell("cat /data/seen").readOnly(folder, "/data");
            try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().readOnly(folder, "/data"))) {
                assertThat(sandbox.run(shell("cat /data/seen")).stdoutText()).isEqualTo("old");
                Files.move(file("new", "new"), folder.resolve("seen"), StandardCopyOption.ATOMIC_MOVE);
                file("unseen", "fresh");
                assertThat(sandbox.run(shell("cat /data/seen")).stdoutText()).isEqualTo("old");
                assertThat(sandbox.run(shell("cat /data/unseen")).stdoutText()).isEqualTo("fresh");
                Files.writeString(folder.resolve("unseen"), "again");
                assertThat(sandbox.run(shell("cat /data/unseen")).stdoutText()).isEqualTo("again");
            }
            assertThat(cordon.run(look).stdoutText()).isEqualTo("new");
        }
    }

    /** Nodes can be made by root alone; rootless the host's are bound. Nobody changes them either way. */
    @Test
    void deviceNodesAreTheJailsOwnAsRoot() throws IOException {
        String host = Files.getAttribute(Path.of("/dev/null"), "unix:dev").toString();
        Result result = run(shell("stat -c %d /dev/null; echo x > /dev/null; head -c 3 /dev/zero | wc -c;"
                + " test -c /dev/urandom && ! touch /dev/x && ! mknod /dev/y c 1 3 && ! rm /dev/null && echo kept"));
        List<String> said = result.stdoutText().lines().toList();
        assertThat(said).hasSize(3).endsWith("3", "kept");
        assertThat(said.getFirst().equals(host)).isEqualTo(!Sandboxes.root());
    }
}
