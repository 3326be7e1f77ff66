package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cli.terminal.RunningService;
import dev.cordon.fixture.UserNamespaces;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service behind TLS, whose certificate names localhost and nothing else. */
@Tag("jail")
class ServiceTlsJailTest {
    @TempDir
    private static Path folder;

    private static RunningService service;
    private static Path authority;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        Path store = certificate("service");
        authority = folder.resolve("service.pem");
        service = new RunningService(
                "[server]",
                "tls_keystore = \"" + store + "\"",
                "tls_password_file = \"" + folder.resolve("password") + "\"");
    }

    @AfterAll
    static void stop() throws Exception {
        if (service != null) {
            service.close();
        }
    }

    /** A key with a certificate that vouches for itself, and that one as NAME.pem. */
    private static Path certificate(String name) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Files.writeString(folder.resolve("password"), "changeit");
        keytool(
                store,
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-ext",
                "SAN=dns:localhost");
        keytool(
                store,
                "-exportcert",
                "-alias",
                "key",
                "-rfc",
                "-file",
                folder.resolve(name + ".pem").toString());
        return store;
    }

    private static void keytool(Path store, String... words) throws Exception {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        line.addAll(List.of(words));
        line.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", "changeit"));
        Process keytool = new ProcessBuilder(line).redirectErrorStream(true).start();
        String told = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(told).isZero();
    }

    private static TestStdio run(int code, Map<String, String> environment, String... words) {
        TestStdio stdio = new TestStdio().environment(environment);
        assertThat(stdio.run(words)).as(stdio.err()).isEqualTo(code);
        return stdio;
    }

    @Test
    void aJobRunsOverTls() throws Exception {
        Map<String, String> https = service.https("localhost", authority);
        TestStdio stdio = new TestStdio().input("x".repeat(2_000_000)).environment(https);
        assertThat(stdio.run("run", "--stdin", "-", "--", "sh", "-c", "wc -c; echo err >&2; exit 7"))
                .as(stdio.err())
                .isEqualTo(7);
        assertThat(stdio.out()).isEqualTo("2000000\n");
        assertThat(stdio.err()).isEqualTo("err\n");
        List<String> told = TerminalDriver.session(
                folder,
                https,
                List.of("expect $ ", "type echo a$((6*7))b\\r", "expect a42b", "type exit 5\\r"),
                "shell");
        assertThat(told).containsExactly("exit 5", "mode restored");
    }

    @Test
    void whoeverIsNotVouchedForGetsNoRequest() throws Exception {
        certificate("other");
        Map<String, String> unknown = new HashMap<>(service.https("localhost", authority));
        unknown.remove("CORDON_CA_FILE");
        for (Map<String, String> environment : List.of(
                unknown,
                service.https("localhost", folder.resolve("other.pem")),
                service.https("127.0.0.1", authority))) {
            assertThat(run(125, environment, "run", "--", "true").err())
                    .contains("cannot be reached: no TLS with it: ", "CORDON_CA_FILE");
        }
    }

    @Test
    void aFileOfAuthoritiesThatIsNoneIsNamed() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        Path other = Files.writeString(folder.resolve("text.pem"), "no certificate\n");
        for (Path file : List.of(empty, other, folder.resolve("absent.pem"))) {
            assertThat(run(2, service.https("localhost", file), "run", "--", "true")
                            .err())
                    .startsWith("cordon: CORDON_CA_FILE: " + file + " ");
        }
    }
}
