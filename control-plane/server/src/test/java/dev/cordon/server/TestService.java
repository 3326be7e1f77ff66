package dev.cordon.server;

import dev.cordon.config.Config;
import dev.cordon.server.access.Role;
import dev.cordon.server.config.SettingsReader;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.store.SqliteDatabase;
import dev.cordon.server.store.TokenStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The real service on a loopback port and a unix socket, in a directory of its own, with tokens of three owners. */
public final class TestService implements AutoCloseable {
    private final Service service;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public final Path state;
    public final String alice;
    public final String bob;
    public final String reader;
    public final String admin;

    public TestService(Path directory, String... settings) throws Exception {
        Path file = directory.resolve("config.toml");
        List<String> lines = new ArrayList<>(List.of(
                "[paths]",
                "state = \"" + directory.resolve("state") + "\"",
                "run = \"" + directory.resolve("run") + "\"",
                "[server]"));
        lines.addAll(List.of(settings));
        Files.write(file, lines);
        state = directory.resolve("server");
        StateDirectory.prepared(state);
        Config config = Config.load(file);
        try (SqliteDatabase database = SqliteDatabase.open(StateDirectory.databaseOf(state))) {
            TokenStore tokens = new TokenStore(database);
            alice = tokens.create("alice", Role.SUBMIT, "", null, _ -> {}).text();
            bob = tokens.create("bob", Role.SUBMIT, "", null, _ -> {}).text();
            reader = tokens.create("alice", Role.READ, "", null, _ -> {}).text();
            admin = tokens.create("operator", Role.ADMIN, "", null, _ -> {}).text();
        }
        SettingsReader.Flags flags =
                new SettingsReader.Flags(directory.resolve("s").toString(), "127.0.0.1:0", state.toString());
        service = Service.start(config, SettingsReader.read(config, flags));
    }

    /** What it keeps, as another process sees it. The caller closes it. */
    public SqliteDatabase database() {
        return SqliteDatabase.open(StateDirectory.databaseOf(state));
    }

    public int port() {
        return service.port();
    }

    public HttpApi routes() {
        return service.api();
    }

    public Path socket() {
        return service.socket().orElseThrow();
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    /** A request, to be completed; without a token when it is null. */
    public HttpRequest.Builder request(@Nullable String token, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofMinutes(2));
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    public HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }

    public HttpResponse<String> send(
            @Nullable String token, String method, String path, @Nullable String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request(token, path)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    public HttpResponse<String> get(String token, String path) throws IOException, InterruptedException {
        return send(token, "GET", path, null);
    }

    public HttpResponse<String> post(String token, String path, String body, String... headers)
            throws IOException, InterruptedException {
        return send(token, "POST", path, body, headers);
    }

    /** Runs a job of alice's to its end. */
    public JsonNode run(String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = post(alice, "/v1/jobs", body);
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return JsonTree.read(answer.body());
    }

    /** Hands a job of alice's in and returns its id. */
    public String start(String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = post(alice, "/v1/jobs", body, "Prefer", "respond-async");
        if (answer.statusCode() != 202) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return JsonTree.read(answer.body()).path("id").asString();
    }

    @Override
    public void close() {
        service.close();
        client.close();
    }
}
