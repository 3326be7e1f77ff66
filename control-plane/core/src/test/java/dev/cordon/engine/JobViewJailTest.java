package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job sees of its jail, and that it sees nothing else. */
@Tag("jail")
@Tag("asUser")
final class JobViewJailTest {
    @OpenCordon
    private static Cordon cordon;

    private static Result shell(String script) {
        return cordon.run(Job.argv("sh", "-c", script));
    }

    private static String output(String script) {
        Result result = shell(script);
        assertThat(result.stderrText()).isEmpty();
        return result.stdoutText();
    }

    @Test
    void hasNoPower() {
        assertThat(output("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr -s '\\t ' ' '")
                        .lines())
                .containsExactly(
                        "CapInh: 0000000000000000",
                        "CapPrm: 0000000000000000",
                        "CapEff: 0000000000000000",
                        "CapBnd: 0000000000000000",
                        "CapAmb: 0000000000000000",
                        "NoNewPrivs: 1",
                        "Seccomp: 2");
        assertThat(output("id -u; id -g; id -G")).isEqualTo("1000\n1000\n1000\n");
    }

    @Test
    void hasThreeDescriptorsBesideManyOpenSockets() throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            // The fourth is the directory that ls reads.
            assertThat(output("ls /proc/self/fd").lines()).containsExactly("0", "1", "2", "3");
            assertThat(output("readlink /proc/self/fd/0")).isEqualTo("/dev/null\n");
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void seesItsOwnRootOnly() {
        assertThat(output("ls /").lines())
                .contains("dev", "etc", "proc", "sys", "tmp", "usr", "workspace")
                .doesNotContain("root", "home", "run", "srv", "boot", "mnt", "opt");
        assertThat(output("ls /var /var/lib 2>/dev/null; true").lines())
                .contains("tmp")
                .doesNotContain("log", "spool", "mail", "run", "backups", "dpkg", "cordon");
        assertThat(output("cat /proc/self/mountinfo").lines())
                .noneMatch(line -> line.contains(" shared:") || line.contains(" master:"));
        assertThat(output("ls /etc/shadow /etc/machine-id 2>&1; true")).contains("No such file");
    }

    @Test
    void seesItsOwnProcessesOnly() {
        assertThat(output("ls /proc | grep -cE '^[0-9]+$'").strip()).isIn("2", "3", "4");
        assertThat(output("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).doesNotContain("java");
    }

    @Test
    void seesNothingOfTheHostsEnvironment() {
        assertThat(output("env | sort | cut -d= -f1").lines())
                .contains("HOME", "LANG", "PATH", "TMPDIR")
                .hasSizeLessThan(7);
        assertThat(output("env")).contains("HOME=/workspace").contains("TMPDIR=/tmp");
    }

    @Test
    void writesToItsOwnPlacesOnly() {
        String script = """
            for d in / /usr /usr/bin /etc /dev /proc /proc/sys/kernel /workspace /tmp /dev/shm; do
              if touch "$d/canary" 2>/dev/null; then echo "$d"; fi
            done
            """;
        assertThat(output(script).lines()).containsExactly("/workspace", "/tmp", "/dev/shm");
        assertThat(Path.of("/usr/canary")).doesNotExist();
    }

    @Test
    void startsInAnEmptyWorkspaceAndLeavesNothing() {
        assertThat(output("pwd; ls -A; echo x > left; ls")).isEqualTo("/workspace\nleft\n");
        assertThat(output("ls -A /workspace /tmp /dev/shm | grep -c left; true").strip())
                .isEqualTo("0");
    }

    /** Its own terminal, which a job that has none can't get by this name either: least of all the caller's. */
    @Test
    void itsTerminalIsDevTty() {
        Job ask = Job.argv("sh", "-c", "tty; echo through >/dev/tty");
        assertThat(cordon.run(ask.terminal(24, 80)).stdoutText()).isEqualTo("/dev/pts/0\r\nthrough\r\n");
        assertThat(cordon.run(ask).stderrText()).contains("/dev/tty: No such device or address");
    }

    @Test
    void hasLoopbackOnly() {
        assertThat(output("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")).isEqualTo("lo\n");
        String code = """
            import socket
            server = socket.create_server(("127.0.0.1", 0))
            client = socket.create_connection(server.getsockname())
            client.sendall(b"hi")
            print(server.accept()[0].recv(2))
            """;
        assertThat(cordon.run(Job.python(code)).stdoutText()).isEqualTo("b'hi'\n");
    }

    @Test
    void makesNoNamespaces() {
        Result result = shell("unshare -U true");
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(1));
        assertThat(result.violations()).extracting("syscall").contains("unshare");
    }

    @Test
    void readsInputsAndCannotChangeThem(@TempDir Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(directory.resolve("in.txt"), "given");
        Result result = cordon.run(Job.argv("sh", "-c", "cat /data/in.txt; echo more >> /data/in.txt; touch /data/new")
                .readOnly(directory, "/data"));
        assertThat(result.stdoutText()).isEqualTo("given");
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(1));
        assertThat(directory.resolve("in.txt")).hasContent("given");
        assertThat(directory.resolve("new")).doesNotExist();
    }

    @Test
    void takesCodeFilesInputAndEnvironment() {
        Result result = cordon.run(Job.python("""
            import os, sys
            print(open("sub/data.bin", "rb").read(), os.environ["NAME"], sys.stdin.read())
            """)
                .put("sub/data.bin", new byte[] {1, 2})
                .env("NAME", "value")
                .stdin("typed"));
        assertThat(result.stdoutText()).isEqualTo("b'\\x01\\x02' value typed\n");
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
    }

    @Test
    void hasAWorkingDirectoryInsideItsRoot() {
        assertThat(cordon.run(Job.argv("pwd").workdir("/workspace/deep/er")).stdoutText())
                .isEqualTo("/workspace/deep/er\n");
        assertThat(cordon.run(Job.argv("pwd").workdir("/nowhere")).outcome()).isInstanceOf(Outcome.Invalid.class);
        // A magic link could lead to a directory outside.
        assertThat(cordon.run(Job.argv("pwd").workdir("/proc/1/cwd")).outcome()).isInstanceOf(Outcome.Invalid.class);
        assertThat(cordon.run(Job.argv("pwd").workdir("/proc/self/cwd")).outcome())
                .isInstanceOf(Outcome.Invalid.class);
    }
}
