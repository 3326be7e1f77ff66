package dev.cordon.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.server.TestService;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** I-04: who is at the other end of the unix socket is the kernel's word, also where the file's rights would let anybody in. */
class PeerTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root, to be somebody else");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs setpriv of util-linux");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "needs curl; apt-get install curl");
        service = new TestService(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        Files.setPosixFilePermissions(service.socket(), PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static String curl(List<String> before, String... headers) throws Exception {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of("curl", "-s", "--max-time", "60", "-w", "\n%{http_code}"));
        for (String header : headers) {
            command.addAll(List.of("-H", header));
        }
        command.addAll(List.of("--unix-socket", service.socket().toString(), "http://localhost/v1/jobs"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(directory.toFile())
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }

    private static List<String> as(int id) {
        return List.of("setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups");
    }

    @Test
    void rootNeedsNoToken() throws Exception {
        assertThat(curl(List.of())).endsWith("\n200");
    }

    @Test
    void anotherUserIsRefused() throws Exception {
        assertThat(curl(as(54_321))).contains("\"code\":\"unauthenticated\"").endsWith("\n401");
        assertThat(curl(as(54_321), "Authorization: Bearer " + service.alice)).endsWith("\n200");
    }

    /** In a user namespace of its own it is root, which is nobody here. */
    @Test
    void rootOfAUserNamespaceIsRefused() throws Exception {
        List<String> inside = new ArrayList<>(as(54_321));
        inside.addAll(List.of("unshare", "--user", "--map-root-user"));
        assertThat(curl(inside)).contains("\"code\":\"unauthenticated\"").endsWith("\n401");
    }
}
