package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.WeakenedCordon;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.wire.SetupStage;
import dev.cordon.bindings.wire.plan.FaultAction;
import dev.cordon.bindings.wire.plan.InjectedFault;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.Stdin;
import dev.cordon.result.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a jail shows of the host has inodes of the jail's own. That nobody is met through them is shown by the probes E-03 and E-07. */
@Tag("jail")
@Tag("asUser")
final class OwnInodesJailTest {
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
        assertThat(result.applied().layersMissing()).doesNotContain("own_inodes");
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
        try (Cordon cordon = WeakenedCordon.without(new InjectedFault(SetupStage.MOUNTS, FaultAction.PLAIN))) {
            Result result =
                    cordon.run(shell("cat /data/f; stat -f -c %T /usr").readOnly(file("f", "plain"), "/data/f"));
            assertThat(result.stdoutText()).startsWith("plain").doesNotContain("overlayfs");
            assertThat(result.applied().layersMissing()).contains("own_inodes");
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

    /** Takes a lease on the file that it is given, says how that went, and keeps it until its input ends. */
    private static final String LEASE = """
        import fcntl, sys
        file = open(sys.argv[1])
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            print("taken", flush=True)
        except OSError as refused:
            print("refused", refused.errno, flush=True)
        sys.stdin.read()
        """;

    /** Whether who writes to the file now would have to wait for somebody's lease. */
    private static boolean isLeased(Path file) throws Exception {
        String open = "import os, sys; os.open(sys.argv[1], os.O_WRONLY | os.O_NONBLOCK)";
        Process writer = new ProcessBuilder("python3", "-c", open, file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (writer.waitFor() != 0) {
            assertThat(said).contains("BlockingIOError");
            return true;
        }
        return false;
    }

    /** Rootless the job's user owns the file, and could have a lease on it: only on the jail's own inode, and the filter refuses it, too. */
    @Test
    void aLeaseHoldsUpNobodyOutside() throws Exception {
        Path file = file("leased", "content");
        CompletableFuture<String> said = new CompletableFuture<>();
        try (Cordon cordon = Cordon.open();
                RunningJob job = cordon.start(
                        Job.argv("python3", "-c", LEASE, "/one")
                                .readOnly(file, "/one")
                                .stdin(Stdin.fed()),
                        (source, bytes) -> said.complete(new String(bytes, StandardCharsets.UTF_8)))) {
            assertThat(said.get(2, TimeUnit.MINUTES)).isEqualTo("refused " + Errno.EINVAL + "\n");
            assertThat(isLeased(file)).isFalse();
            assertThat(job.result()).as("it had the file open meanwhile").isNotDone();
        }
        Process outside = new ProcessBuilder("python3", "-c", LEASE, file.toString()).start();
        try (BufferedReader answer = outside.inputReader()) {
            assertThat(answer.readLine()).isEqualTo("taken");
            assertThat(isLeased(file)).isTrue();
        } finally {
            outside.destroyForcibly();
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
