package dev.cordon.cli.terminal;

import dev.cordon.cli.client.ServiceAddress;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.config.Config;
import dev.cordon.server.Service;
import dev.cordon.server.ServiceCommands;
import dev.cordon.server.config.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A service in this JVM, on a unix socket and a loopback port, in a directory of its own. */
public final class RunningService implements AutoCloseable {
    private final Path directory;
    private final Service service;
    private final String token;

    public RunningService(String... settings) throws Exception {
        directory = Files.createTempDirectory(Path.of("/tmp"), "cordon"); // short: a socket's name has 107 bytes
        Path file = settings("service", settings);
        Config loaded = Config.load(file);
        Config config = loaded.withAudit(loaded.audit().in(audit())); // as --state has it
        String first = secure(settings) ? token(file) : ""; // a service behind TLS starts with a token only
        service = Service.start(
                config,
                SettingsReader.read(
                        config,
                        new SettingsReader.Flags(
                                directory.resolve("s").toString(),
                                "127.0.0.1:0",
                                serverState().toString())));
        token = secure(settings) ? first : made();
    }

    private static boolean secure(String... settings) {
        return String.join("\n", settings).contains("tls_keystore");
    }

    private String token(Path file) {
        String made =
                ServiceCommands.createToken(file.toString(), serverState().toString(), "operator", "admin", "", null);
        return ServiceClient.MAPPER.readTree(made).path("token").asString("");
    }

    private String made() throws Exception {
        return new ServiceClient(ServiceAddress.parse(host(), ""), null)
                .post(
                        "/v1/admin/tokens",
                        ServiceClient.MAPPER
                                .createObjectNode()
                                .put("owner", "operator")
                                .put("role", "admin"))
                .path("token")
                .asString();
    }

    /** Settings of the same content, with a state of their own. */
    private Path settings(String name, String... settings) throws IOException {
        Path own = directory.resolve(name);
        return Files.write(
                directory.resolve(name + ".toml"),
                List.of(
                        "[paths]",
                        "state = \"" + own + "\"",
                        "run = \"" + own.resolve("run") + "\"",
                        String.join("\n", settings)));
    }

    /** Settings for a command in this process that is to find what the service has. */
    public Path local(String... settings) throws IOException {
        return settings("local", settings);
    }

    /** Where its tokens and jobs are. */
    public Path serverState() {
        return directory.resolve("server");
    }

    /** Its audit log. */
    public Path audit() {
        return serverState().resolve("audit");
    }

    /** The environment of a command that uses the socket. */
    public Map<String, String> unix() {
        return Map.of("CORDON_HOST", host());
    }

    public String host() {
        return "unix:" + service.socket().orElseThrow();
    }

    /** The environment of a command that uses the port. */
    public Map<String, String> tcp() {
        return Map.of("CORDON_HOST", "http://127.0.0.1:" + service.port(), "CORDON_TOKEN", token);
    }

    /** The environment of a command that uses the port behind TLS. */
    public Map<String, String> https(String name, Path authority) {
        return Map.of(
                "CORDON_HOST",
                "https://" + name + ":" + service.port(),
                "CORDON_TOKEN",
                token,
                "CORDON_CA_FILE",
                authority.toString());
    }

    /** Of the socket and of a token. */
    public String token() {
        return token;
    }

    @Override
    public void close() throws IOException {
        service.close();
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path entry : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(entry);
            }
        }
    }
}
