package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The terminal of a job over a WebSocket: who may sit down, what passes, what ends it. */
@Tag("jail")
class TerminalJailTest {
    private static final String SHELL = "{\"argv\":[\"sh\"],\"tty\":{\"rows\":30,\"columns\":90}}";

    @TempDir
    static Path directory;

    static TestService service;
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(directory);
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
        CLIENT.close();
    }

    /** Gathers what is shown. */
    private static final class Screen implements WebSocket.Listener {
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            synchronized (shown) {
                shown.writeBytes(bytes);
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
            closed.completeExceptionally(error);
        }

        String text() {
            synchronized (shown) {
                return shown.toString(StandardCharsets.UTF_8);
            }
        }
    }

    private static WebSocket open(@Nullable String token, String id, Screen screen, String... headers) {
        WebSocket.Builder builder = CLIENT.newWebSocketBuilder();
        if (token != null) {
            builder.header("Authorization", "Bearer " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        return builder.buildAsync(URI.create("ws://127.0.0.1:" + service.port() + "/v1/jobs/" + id + "/tty"), screen)
                .join();
    }

    private static void refused(int status, @Nullable String token, String id, String... headers) {
        assertThatThrownBy(() -> open(token, id, new Screen(), headers))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        WebSocketHandshakeException.class,
                        e -> assertThat(e.getResponse().statusCode()).isEqualTo(status));
    }

    private static void type(WebSocket socket, String keys) {
        socket.sendBinary(ByteBuffer.wrap(keys.getBytes(StandardCharsets.UTF_8)), true)
                .join();
    }

    private static String outcome(String id) throws Exception {
        return JsonTree.read(service.get(service.alice, "/v1/jobs/" + id + "?wait_ms=20000")
                        .body())
                .path("outcome")
                .asString("");
    }

    @Test
    void whatIsTypedArrivesAndTheSizeFollows() throws Exception {
        String id = service.start(SHELL);
        Screen screen = new Screen();
        WebSocket socket = open(service.alice, id, screen);
        type(socket, "stty size; echo a$((6*7))b\r");
        await().until(() -> screen.text().contains("a42b"));
        assertThat(screen.text()).contains("30 90");
        socket.sendText("{\"rows\":50,\"columns\":120}", true).join();
        await().until(() -> {
            type(socket, "stty size\r");
            return screen.text().contains("50 120");
        });
        type(socket, "exit 3\r");
        assertThat(screen.closed.join()).isEqualTo(1000);
        assertThat(outcome(id)).isEqualTo("nonzero_exit");
    }

    @Test
    void nobodyElseSitsDown() throws Exception {
        String id = service.start(SHELL);
        refused(401, null, id);
        refused(401, "cordon_wrong", id);
        refused(403, service.reader, id);
        refused(404, service.bob, id);
        refused(404, service.alice, "job_absent");
        refused(403, service.alice, id, "Origin", "http://evil.example");
        String plain = service.start("{\"argv\":[\"sleep\",\"1000\"]}");
        refused(409, service.alice, plain);
        Screen first = new Screen();
        WebSocket socket = open(service.alice, id, first, "Origin", "http://127.0.0.1:" + service.port());
        type(socket, "echo a$((6*7))b\r");
        await().until(() -> first.text().contains("a42b"));
        refused(409, service.alice, id);
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        assertThat(outcome(id)).isEqualTo("canceled");
        service.send(service.alice, "DELETE", "/v1/jobs/" + plain, null);
        refused(409, service.alice, id);
    }

    @Test
    void whatMakesNoSenseEndsIt() throws Exception {
        for (String text : new String[] {"nonsense", "{}", "{\"rows\":0,\"columns\":1}", "x".repeat(100_000)}) {
            String id = service.start(SHELL);
            Screen screen = new Screen();
            WebSocket socket = open(service.alice, id, screen);
            CompletableFuture<WebSocket> sent = socket.sendText(text, true);
            if (text.length() < 1_000) {
                sent.join();
                assertThat(screen.closed.join()).isEqualTo(1008);
            } else {
                // The other side hangs up at the first bytes too many; whether its reason is still read is chance.
                assertThat(screen.closed.exceptionally(_ -> 1009).join()).isIn(1008, 1009);
            }
            assertThat(outcome(id)).isEqualTo("canceled");
        }
    }

    @Test
    void aClientThatDoesNotReadHoldsTheJobAndNotOurMemory() throws Exception {
        String id = service.start("{\"argv\":[\"yes\"],\"tty\":{},\"limits\":{\"timeout\":\"3s\"}}");
        CompletableFuture<WebSocket> opened = new CompletableFuture<>();
        WebSocket socket = CLIENT.newWebSocketBuilder()
                .header("Authorization", "Bearer " + service.alice)
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + service.port() + "/v1/jobs/" + id + "/tty"),
                        new WebSocket.Listener() {
                            @Override
                            public void onOpen(WebSocket open) {
                                opened.complete(open); // and never asks for more
                            }
                        })
                .join();
        opened.join();
        assertThat(outcome(id)).isEqualTo("timed_out");
        socket.abort();
    }

    @Test
    void aTerminalDoesNotGoWithStdin() throws Exception {
        for (String body : new String[] {
            "{\"argv\":[\"sh\"],\"tty\":{},\"stdin\":\"x\"}",
            "{\"argv\":[\"sh\"],\"tty\":{},\"stdin_open\":true}",
            "{\"argv\":[\"sh\"],\"tty\":{\"rows\":0}}",
            "{\"argv\":[\"sh\"],\"tty\":{\"row\":1}}"
        }) {
            assertThat(service.post(service.alice, "/v1/jobs", body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
    }
}
