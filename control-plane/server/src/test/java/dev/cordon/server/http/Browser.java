package dev.cordon.server.http;

import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One page of a headless Chromium, driven over its DevTools protocol on a loopback port. */
final class Browser implements AutoCloseable {
    static final Path PROGRAM = Path.of("/usr/bin/chromium");

    private final Path directory;
    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger number = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    /** The tests run as root, where Chromium has no sandbox of its own. */
    Browser() throws Exception {
        // Short: it makes a socket below, and the name of a socket has at most 107 bytes.
        directory = Files.createTempDirectory(Path.of("/tmp"), "cordon");
        Path profile = Files.createDirectories(directory.resolve("profile"));
        ProcessBuilder builder = new ProcessBuilder(
                PROGRAM.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--window-size=1400,1500",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank");
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("TMPDIR", directory.toString());
        process = builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("chromium.log").toFile())
                .start();
        Path file = profile.resolve("DevToolsActivePort");
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> Files.exists(file) && Files.readAllLines(file).size() == 2);
        int port = Integer.parseInt(Files.readAllLines(file).getFirst());
        socket = client.newWebSocketBuilder().buildAsync(page(port), new Ear()).get(1, TimeUnit.MINUTES);
        for (String domain : List.of("Page", "Runtime", "Log", "Network", "Security")) {
            call(domain + ".enable", Map.of());
        }
    }

    private URI page(int port) throws Exception {
        URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
        return Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(
                        () -> {
                            String pages = client.send(
                                            HttpRequest.newBuilder(list).build(), BodyHandlers.ofString())
                                    .body();
                            for (JsonNode page :
                                    JsonTree.read("{\"pages\":" + pages + "}").path("pages")) {
                                if (page.path("type").asString().equals("page")) {
                                    return URI.create(
                                            page.path("webSocketDebuggerUrl").asString());
                                }
                            }
                            return URI.create("");
                        },
                        uri -> !uri.toString().isEmpty());
    }

    /** Text messages may come in pieces. */
    private final class Ear implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence piece, boolean last) {
            message.append(piece);
            if (last) {
                heard(JsonTree.read(message.toString()));
                message.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }

    private void heard(JsonNode message) {
        if (message.has("id")) {
            CompletableFuture<JsonNode> answer = asked.remove(message.path("id").asInt());
            if (answer != null) {
                answer.complete(message);
            }
        } else if (message.path("method").asString().equals("Runtime.exceptionThrown")
                || (message.path("method").asString().equals("Log.entryAdded")
                        && message.at("/params/entry/level").asString().equals("error"))
                || (message.path("method").asString().equals("Runtime.consoleAPICalled")
                        && message.at("/params/type").asString().equals("error"))) {
            complaints.add(message.toString());
        }
    }

    /** Errors on the console, violations of the content security policy among them. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    JsonNode call(String method, Map<String, Object> parameters) throws Exception {
        int id = number.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        ObjectNode message = JsonTree.object().put("id", id).put("method", method);
        message.putPOJO("params", parameters);
        socket.sendText(JsonTree.text(message), true).get(1, TimeUnit.MINUTES);
        JsonNode result = answer.get(1, TimeUnit.MINUTES);
        if (result.has("error")) {
            throw new IOException(method + ": " + result);
        }
        return result.path("result");
    }

    void open(URI uri) throws Exception {
        call("Page.navigate", Map.of("url", uri.toString()));
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> evaluate("document.readyState === 'complete' && location.href === '" + uri + "'")
                        .asBoolean(false));
    }

    /** The value of an expression in the page. */
    JsonNode evaluate(String expression) throws Exception {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IOException(expression + ": " + result);
        }
        return result.at("/result/value");
    }

    void screenshot(Path file) throws Exception {
        String data = call("Page.captureScreenshot", Map.of("format", "png"))
                .path("data")
                .asString();
        Files.write(file, Base64.getDecoder().decode(data));
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
        // Its own children end with it.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        Awaitility.await().until(this::removed);
    }

    /** What still runs of it may still write. */
    private boolean removed() throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path entry : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(entry);
            }
            return true;
        } catch (NoSuchFileException | DirectoryNotEmptyException | UncheckedIOException busy) {
            return Files.notExists(directory);
        }
    }
}
