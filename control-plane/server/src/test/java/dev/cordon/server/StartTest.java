package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.config.Config;
import dev.cordon.server.config.ServerSettings;
import dev.cordon.server.config.ServiceRefused;
import dev.cordon.server.config.SettingsReader;
import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the service starts with, and what it refuses to start with. */
class StartTest {
    @TempDir
    Path directory;

    private Config config(String... lines) throws IOException {
        Path file = directory.resolve("config.toml");
        Files.writeString(
                file,
                "[paths]\nstate = \"" + directory + "\"\nrun = \"" + directory + "/run\"\n[server]\n"
                        + String.join("\n", lines) + "\n");
        return Config.load(file);
    }

    /** Given by name, because the environment may name another. */
    private String state() {
        return directory.resolve("server").toString();
    }

    private ServerSettings settings(String listen, String... lines) throws IOException, ServiceRefused {
        return SettingsReader.read(config(lines), new SettingsReader.Flags(null, listen, state()));
    }

    @Test
    void aPortBeyondLoopbackNeedsTls() throws Exception {
        for (String address : new String[] {"0.0.0.0:8080", "[::]:8080", "192.0.2.1:1"}) {
            assertThatThrownBy(() -> settings(address))
                    .isInstanceOf(ServiceRefused.class)
                    .hasMessageContaining("server.tls_keystore");
        }
        for (String address : new String[] {"127.0.0.1:0", "[::1]:0", "localhost:0"}) {
            assertThat(settings(address).tcp()).isPresent();
            assertThat(settings(address).socket()).isEmpty();
        }
        for (String address : new String[] {"8080", ":8080", "localhost:99999", "localhost:x"}) {
            assertThatThrownBy(() -> settings(address))
                    .isInstanceOf(ServiceRefused.class)
                    .hasMessageContaining("HOST:PORT");
        }
    }

    @Test
    void withTlsItWantsATokenToBeThere() throws Exception {
        Path store = directory.resolve("keys.p12");
        Files.writeString(directory.resolve("password"), "secret1\n");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "cordon",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "secret1",
                        "-validity",
                        "10")
                .redirectErrorStream(true)
                .start();
        keytool.getInputStream().readAllBytes();
        assertThat(keytool.waitFor()).isZero();
        String[] tls = {
            "tls_keystore = \"" + store + "\"", "tls_password_file = \"" + directory.resolve("password") + "\""
        };
        Config config = config(tls);
        ServerSettings settings = settings("0.0.0.0:0", tls);
        assertThatThrownBy(() -> Service.start(config, settings))
                .isInstanceOf(ServiceRefused.class)
                .hasMessageContaining("cordon token create");
        ServiceCommands.createToken(directory.resolve("config.toml").toString(), state(), "alice", "read", "", null);
        try (Service service = Service.start(config, settings)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + service.port() + "/healthz"))
                    .timeout(Duration.ofMinutes(1))
                    .build();
            try (HttpClient trusting = HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .sslContext(trusting(store, "secret1"))
                            .build();
                    HttpClient common = HttpClient.newHttpClient()) {
                HttpResponse<String> answer = trusting.send(request, BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.sslSession().orElseThrow().getProtocol()).isIn("TLSv1.2", "TLSv1.3");
                assertThatThrownBy(() -> common.send(request, BodyHandlers.ofString()))
                        .isInstanceOf(SSLException.class);
                HttpRequest plain = HttpRequest.newBuilder(
                                URI.create("http://localhost:" + service.port() + "/healthz"))
                        .timeout(Duration.ofMinutes(1))
                        .build();
                assertThatThrownBy(() -> common.send(plain, BodyHandlers.ofString()))
                        .isInstanceOf(IOException.class);
            }
        }
    }

    /** Trusts the certificate in a key store, and no other. */
    private static SSLContext trusting(Path store, String password) throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), password.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("cordon", keys.getCertificate("cordon"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    @Test
    void unknownAndSenselessSettingsAreNamedTogether() {
        assertThatThrownBy(() -> settings(
                        "127.0.0.1:0",
                        "max_runing = 3",
                        "max_queue = 0",
                        "wait = \"soon\"",
                        "group = \"no-such-group\""))
                .isInstanceOf(ServiceRefused.class)
                .hasMessageContaining("server.max_runing is not a setting")
                .hasMessageContaining("server.max_queue")
                .hasMessageContaining("server.wait")
                .hasMessageContaining("there is no such group");
    }

    @Test
    void theSocketIsPrivateAndItsPeerIsKnown() throws Exception {
        Config config = config();
        ServerSettings settings = SettingsReader.read(config, new SettingsReader.Flags(null, null, null));
        try (Service service = Service.start(config, settings)) {
            Path socket = service.socket().orElseThrow();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isIn("rw-------", "rw-rw----");
            assertThat(ask(socket, "/v1/admin/tokens")).startsWith("HTTP/1.1 200");
            assertThatThrownBy(() -> Service.start(config, settings))
                    .isInstanceOf(ServiceRefused.class)
                    .hasMessageContaining("another service uses");
        }
    }

    @Test
    void aTokenIsMadeListedAndRevokedOnTheCommandLine() throws Exception {
        config();
        String file = directory.resolve("config.toml").toString();
        String state = state();
        String token = JsonTree.read(ServiceCommands.createToken(file, state, "alice", "submit", "for a test", null))
                .path("token")
                .asString("");
        assertThat(token).matches("cordon_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}");
        String id = token.substring(7, 19);
        assertThat(ServiceCommands.listTokens(file, state))
                .startsWith("{\"data\":[{\"id\":\"" + id
                        + "\",\"object\":\"token\",\"owner\":\"alice\",\"role\":\"submit\"")
                .containsPattern("\"expires_at\":\"20[^\"]+Z\"}],\"next_cursor\":null}$")
                .doesNotContain(token);
        assertThat(ServiceCommands.revokeToken(file, state, id)).isTrue();
        assertThat(ServiceCommands.revokeToken(file, state, id)).isFalse();
        assertThatThrownBy(() -> ServiceCommands.createToken(file, state, "a b", "submit", "", null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ServiceCommands.createToken(file, state, "a", "king", "", null))
                .hasMessageContaining("read, submit, admin");
        byte[] kept = Files.readAllBytes(directory.resolve("server/cordon.db"));
        assertThat(new String(kept, StandardCharsets.ISO_8859_1)).doesNotContain(token.substring(20));
    }

    private static long days(String made) {
        Instant end = Instant.parse(JsonTree.read(made).path("expires_at").asString(""));
        return Duration.between(Instant.now(), end.plusSeconds(60)).toDays();
    }

    @Test
    void aTokenExpiresUnlessSomebodySaysNever() throws Exception {
        config();
        String file = directory.resolve("config.toml").toString();
        assertThat(days(ServiceCommands.createToken(file, state(), "a", "read", "", null)))
                .isEqualTo(90);
        assertThat(ServiceCommands.createToken(file, state(), "b", "read", "", ServiceCommands.NEVER))
                .contains("\"expires_at\":null");
        assertThatThrownBy(() -> ServiceCommands.createToken(file, state(), "c", "read", "", Duration.ofDays(9999)))
                .hasMessageContaining("3650d");
        config("token_lifetime = \"2d\"");
        assertThat(days(ServiceCommands.createToken(file, state(), "d", "read", "", null)))
                .isEqualTo(2);
        assertThatThrownBy(() -> settings("127.0.0.1:0", "token_lifetime = \"9999d\""))
                .isInstanceOf(ServiceRefused.class)
                .hasMessageContaining("server.token_lifetime");
    }

    @Test
    void aLogOfOneServiceIsNotAnothers() throws Exception {
        Config config = config();
        ServerSettings one = SettingsReader.read(
                config,
                new SettingsReader.Flags(
                        null, "127.0.0.1:0", directory.resolve("one").toString()));
        ServerSettings two = SettingsReader.read(
                config,
                new SettingsReader.Flags(
                        null, "127.0.0.1:0", directory.resolve("two").toString()));
        try (Service _ = Service.start(config, one)) {
            assertThatThrownBy(() -> Service.start(config, two))
                    .isInstanceOf(ServiceRefused.class)
                    .hasMessageContaining("state " + directory.resolve("one"))
                    .hasMessageContaining("audit.directory");
        }
        Service.start(config, two).close();
    }

    @Test
    void aLogThatNobodyCanClaimIsRefusedUnlessItCannotBeWritten() throws Exception {
        Config config = config();
        ServerSettings settings = SettingsReader.read(config, new SettingsReader.Flags(null, "127.0.0.1:0", state()));
        Path log = config.audit().directory();
        Files.createDirectories(log.resolve("service.lock"));
        assertThatThrownBy(() -> Service.start(config, settings))
                .isInstanceOf(ServiceRefused.class)
                .hasMessageContaining("cannot be claimed")
                .hasMessageContaining("service.lock");
        Files.delete(log.resolve("service.lock"));
        Files.delete(log);
        Files.writeString(log, "no directory, and so no job is admitted");
        Service.start(config, settings).close();
    }

    @Test
    void aStateOfItsOwnHasALogOfItsOwn() throws Exception {
        Config config = config();
        Path usual = config.audit().directory();
        Path own = directory.resolve("own");
        assertThat(StateDirectory.audited(config, own.toString()).audit().directory())
                .isEqualTo(own.resolve("audit"));
        assertThat(StateDirectory.audited(config, null).audit().directory()).isEqualTo(usual);
        assertThat(StateDirectory.audited(config, state()).audit().directory()).isEqualTo(usual);
        Files.writeString(
                directory.resolve("config.toml"), "[audit]\ndirectory = \"/named\"\n", StandardOpenOption.APPEND);
        Config named = Config.load(directory.resolve("config.toml"));
        assertThat(StateDirectory.audited(named, own.toString()).audit().directory())
                .isEqualTo(Path.of("/named"));
        String file = directory.resolve("plain.toml").toString();
        Files.writeString(Path.of(file), "[paths]\nstate = \"" + directory + "\"\nrun = \"" + directory + "/run\"\n");
        ServiceCommands.createToken(file, own.toString(), "a", "read", "", null);
        assertThat(own.resolve("audit/audit.head")).exists();
        assertThat(usual).doesNotExist();
    }

    @Test
    void aSigningKeyThatCannotBeReadRefusesTheStart() throws Exception {
        config();
        Files.writeString(
                directory.resolve("config.toml"),
                "[audit]\nsigning_key = \"" + directory.resolve("absent") + "\"\n",
                StandardOpenOption.APPEND);
        Config config = Config.load(directory.resolve("config.toml"));
        ServerSettings settings = SettingsReader.read(config, new SettingsReader.Flags(null, "127.0.0.1:0", state()));
        assertThatThrownBy(() -> Service.start(config, settings))
                .isInstanceOf(ServiceRefused.class)
                .hasMessageContaining("absent");
    }

    @Test
    void whyItCannotStartIsSaidWithTheRemedy() throws Exception {
        Config config = config();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServerSettings settings = settings("127.0.0.1:" + taken.getLocalPort());
            assertThatThrownBy(() -> Service.start(config, settings))
                    .isInstanceOf(ServiceRefused.class)
                    .hasMessageContaining("is in use")
                    .hasMessageContaining("--listen");
        }
        ServerSettings nowhere =
                SettingsReader.read(config, new SettingsReader.Flags(null, "127.0.0.1:0", "/proc/no-such-place"));
        assertThatThrownBy(() -> Service.start(config, nowhere))
                .isInstanceOf(ServiceRefused.class)
                .hasMessageMatching(".*/proc/no-such-place: .+; give --state .*");
        assertThatThrownBy(() -> ServiceCommands.createToken(null, state(), "alice", "read", "", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--expires");
    }

    private static String ask(Path socket, String path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap(("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer answer = ByteBuffer.allocate(64 << 10);
            int count = 0;
            while (count >= 0 && answer.hasRemaining()) {
                count = channel.read(answer);
            }
            return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
        }
    }

    /** The unit tells them apart: settings stay refused, a place that is taken may be free at the next start. */
    @Test
    void refusedSettingsHaveAnExitCodeOfTheirOwn() throws Exception {
        List<String> said = new ArrayList<>();
        Path file = directory.resolve("config.toml");
        for (String broken : List.of("[limits]\nmemry = \"1G\"\n", "[server]\nmax_runing = 1\n", "no toml")) {
            Files.writeString(file, broken);
            assertThat(ServiceCommands.serve(file.toString(), null, "127.0.0.1:0", state(), said::add))
                    .as(broken)
                    .isEqualTo(78);
        }
        Files.writeString(directory.resolve("policy.toml"), "version = 2\n");
        Files.writeString(file, "[policy]\nfile = \"" + directory.resolve("policy.toml") + "\"\n");
        assertThat(ServiceCommands.serve(file.toString(), null, "127.0.0.1:0", state(), said::add))
                .isEqualTo(78);
        assertThat(said).anyMatch(line -> line.contains("memry")).anyMatch(line -> line.contains("policy.toml"));
        Files.delete(directory.resolve("policy.toml")); // beside the file that is named, so that it would be read
        var _ = config();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            assertThat(ServiceCommands.serve(file.toString(), null, address, state(), said::add))
                    .isEqualTo(125);
        }
    }
}
