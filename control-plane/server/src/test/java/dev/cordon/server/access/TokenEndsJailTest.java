package dev.cordon.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.store.SqliteDatabase;
import dev.cordon.server.store.TokenStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A token that is revoked or over ends what it has open, whoever ended it and however. */
@Tag("jail")
class TokenEndsJailTest {
    private static final String FILED = "cordon_filed_" + "0123456789abcdef".repeat(4);

    @TempDir
    static Path directory;

    static TestService service;
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        Path files = Files.createDirectory(directory.resolve("files"));
        Files.writeString(files.resolve("tokens_one"), "carol submit " + FILED + "\n");
        service = new TestService(directory, "token_files = \"" + files + "\"");
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
        CLIENT.close();
    }

    private static TokenSecret made(String owner, Role role, @Nullable Instant expires) {
        try (SqliteDatabase database = service.database()) {
            return new TokenStore(database).create(owner, role, "", expires, _ -> {});
        }
    }

    private static void revoke(TokenSecret secret, String query) throws Exception {
        String path = "/v1/admin/tokens/" + secret.id() + query;
        assertThat(service.send(service.admin, "DELETE", path, null).statusCode())
                .isEqualTo(204);
    }

    /** A stream that was opened, and read until it ends, however it does. */
    private static CompletableFuture<String> stream(String token, String path, String type) throws Exception {
        HttpRequest request = service.request(token, path)
                .header("Accept", type)
                .timeout(Duration.ofMinutes(5))
                .build();
        HttpResponse<InputStream> answer = CLIENT.send(request, BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            throw new IOException("refused with " + answer.statusCode());
        }
        CompletableFuture<String> ended = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try (InputStream body = answer.body()) {
                ended.complete(new String(body.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException cut) {
                ended.complete("cut");
            }
        });
        return ended;
    }

    private static String sleeper(String token) throws Exception {
        HttpResponse<String> answer = service.post(
                token,
                "/v1/jobs",
                "{\"argv\":[\"sleep\",\"600\"],\"limits\":{\"timeout\":\"600s\"}}",
                "Prefer",
                "respond-async");
        return JsonTree.read(answer.body()).path("id").asString();
    }

    private static String outcome(String job) throws Exception {
        return JsonTree.read(service.get(service.admin, "/v1/jobs/" + job).body())
                .path("outcome")
                .asString("");
    }

    private static void endsSoon(CompletableFuture<?> ended) throws Exception {
        ended.get(1, TimeUnit.MINUTES); // none of them has an end of its own
    }

    private static final class Screen implements WebSocket.Listener {
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final StringBuilder shown = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            synchronized (shown) {
                shown.append(StandardCharsets.UTF_8.decode(data));
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.complete(-1);
        }

        String text() {
            synchronized (shown) {
                return shown.toString();
            }
        }
    }

    @Test
    void aTerminalTakesNoKeysAfterItsTokenWasRevoked() throws Exception {
        TokenSecret token = made("dave", Role.SUBMIT, null);
        String job = JsonTree.read(service.post(
                                token.text(),
                                "/v1/jobs",
                                "{\"argv\":[\"sh\"],\"tty\":{\"rows\":30,\"columns\":90}}",
                                "Prefer",
                                "respond-async")
                        .body())
                .path("id")
                .asString();
        Screen screen = new Screen();
        WebSocket socket = CLIENT.newWebSocketBuilder()
                .header("Authorization", "Bearer " + token.text())
                .buildAsync(URI.create("ws://127.0.0.1:" + service.port() + "/v1/jobs/" + job + "/tty"), screen)
                .join();
        type(socket, "echo be$((0))fore\n");
        await().until(() -> screen.text().contains("be0fore"));
        revoke(token, "");
        assertThat(screen.closed.get(1, TimeUnit.MINUTES)).isEqualTo(1008);
        try {
            type(socket, "echo af$((0))ter\n");
        } catch (RuntimeException closed) {
            assertThat(closed).hasRootCauseInstanceOf(IOException.class);
        }
        await().until(() -> outcome(job).equals("canceled"));
        assertThat(screen.text()).doesNotContain("af0ter");
    }

    private static void type(WebSocket socket, String keys) {
        socket.sendBinary(ByteBuffer.wrap(keys.getBytes(StandardCharsets.UTF_8)), true)
                .join();
    }

    @Test
    void streamsEndWithTheirTokenAndJobsGoOnUnlessTheyAreToEnd() throws Exception {
        TokenSecret token = made("erin", Role.ADMIN, null);
        String job = sleeper(token.text());
        List<CompletableFuture<String>> open = new ArrayList<>();
        open.add(stream(token.text(), "/v1/events", "text/event-stream"));
        open.add(stream(token.text(), "/v1/events", "application/x-ndjson"));
        open.add(stream(token.text(), "/v1/jobs/" + job + "/events", "text/event-stream"));
        open.add(stream(token.text(), "/v1/jobs/" + job + "/events", "application/x-ndjson"));
        open.add(stream(token.text(), "/v1/admin/audit", "text/event-stream"));
        CompletableFuture<String> others = stream(service.alice, "/v1/events", "text/event-stream");
        revoke(token, "");
        for (CompletableFuture<String> stream : open) {
            endsSoon(stream);
        }
        assertThat(others).as("of another token").isNotDone();
        assertThat(outcome(job)).as("a job goes on").isEmpty();
        assertThat(service.get(token.text(), "/v1/jobs").statusCode()).isEqualTo(401);
        String second = sleeper(made("erin", Role.SUBMIT, null).text());
        String alices = service.start("{\"argv\":[\"sleep\",\"600\"],\"limits\":{\"timeout\":\"600s\"}}");
        revoke(made("erin", Role.READ, null), "?cancel_jobs=true");
        await().until(() -> outcome(job).equals("canceled") && outcome(second).equals("canceled"));
        assertThat(outcome(alices)).isEmpty();
        service.send(service.alice, "DELETE", "/v1/jobs/" + alices, null);
    }

    @Test
    void whoRevokesItsOwnTokenHearsThatItWorked() throws Exception {
        TokenSecret token = made("frank", Role.ADMIN, null);
        assertThat(service.send(token.text(), "DELETE", "/v1/admin/tokens/" + token.id(), null)
                        .statusCode())
                .isEqualTo(204);
        assertThat(service.get(token.text(), "/v1/jobs").statusCode()).isEqualTo(401);
    }

    @Test
    void aTokenThatAnotherProcessTakesOutEndsItsStreams() throws Exception {
        TokenSecret token = made("grace", Role.READ, null);
        CompletableFuture<String> stream = stream(token.text(), "/v1/events", "text/event-stream");
        try (SqliteDatabase database = service.database()) {
            assertThat(new TokenStore(database).revoke(token.id())).isTrue();
        }
        endsSoon(stream);
    }

    @Test
    void aTokenWhoseTimeIsUpEndsItsStreamsAndSaysSo() throws Exception {
        TokenSecret token = made("heidi", Role.READ, Instant.now());
        CompletableFuture<String> stream = null;
        for (int seconds = 1; stream == null; seconds *= 2) { // long enough to open one, on whatever host
            token = made("heidi", Role.READ, Instant.now().plusSeconds(seconds));
            try {
                stream = stream(token.text(), "/v1/events", "text/event-stream");
            } catch (IOException over) {
                assertThat(over).hasMessageContaining("401");
            }
        }
        endsSoon(stream);
        HttpResponse<String> refused = service.get(token.text(), "/v1/jobs");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.body()).contains("expired on 20", "create a new one");
    }

    /** A secret that leaked is replaced, and its id stays: who has the old one has nothing open any more. */
    @Test
    void anotherSecretInTheOperatorsFileEndsWhatTheOldOneHasOpen() throws Exception {
        Path file = directory.resolve("files/tokens_two");
        String old = "cordon_second_" + "1".repeat(64);
        Files.writeString(file, "judy read " + old + "\n");
        assertThat(service.post(service.admin, "/v1/admin/reload", "").statusCode())
                .isEqualTo(200);
        CompletableFuture<String> stream = stream(old, "/v1/events", "text/event-stream");
        String fresh = "cordon_second_" + "2".repeat(64);
        Files.writeString(file, "judy read " + fresh + "\n");
        assertThat(service.post(service.admin, "/v1/admin/reload", "").statusCode())
                .isEqualTo(200);
        endsSoon(stream);
        assertThat(service.get(old, "/v1/jobs").statusCode()).isEqualTo(401);
        assertThat(service.get(fresh, "/v1/jobs").statusCode()).isEqualTo(200);
    }

    @Test
    void aTokenOfTheOperatorsEndsWithItsFile() throws Exception {
        CompletableFuture<String> stream = stream(FILED, "/v1/events", "text/event-stream");
        HttpResponse<String> refused = service.send(service.admin, "DELETE", "/v1/admin/tokens/filed", null);
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("remove the file and reload");
        Files.delete(directory.resolve("files/tokens_one"));
        assertThat(service.post(service.admin, "/v1/admin/reload", "").statusCode())
                .isEqualTo(200);
        endsSoon(stream);
        assertThat(service.get(FILED, "/v1/jobs").statusCode()).isEqualTo(401);
    }
}
