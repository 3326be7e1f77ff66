package dev.cordon.server;

import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Requests to a service that is a process of its own, as the owner of one token. */
public final class ServiceCalls implements AutoCloseable {
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;
    private final String token;

    public ServiceCalls(int port, String token) {
        this.port = port;
        this.token = token;
    }

    public HttpResponse<String> send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .headers("Authorization", "Bearer " + token, "Content-Type", "application/json")
                .timeout(PATIENCE)
                .method(method, BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** A job that is waited for. */
    public HttpResponse<String> post(String job) throws IOException, InterruptedException {
        return send("POST", "/v1/jobs", job, "Prefer", "wait=60");
    }

    /** The id of a job that is not waited for. */
    public String begin(String job) throws IOException, InterruptedException {
        return JsonTree.read(
                        send("POST", "/v1/jobs", job, "Prefer", "respond-async").body())
                .path("id")
                .asString();
    }

    public JsonNode get(String path) throws IOException, InterruptedException {
        return JsonTree.read(send("GET", path, "").body());
    }

    public JsonNode job(String id) throws IOException, InterruptedException {
        return get("/v1/jobs/" + id);
    }

    public boolean is(String id, String state) throws IOException, InterruptedException {
        return job(id).path("state").asString("").equals(state);
    }

    public boolean ready() throws IOException, InterruptedException {
        return send("GET", "/readyz", "").statusCode() == 200;
    }

    /** Whether a job runs now; a connection that broke is not reused. */
    public boolean works() {
        try {
            return post("{\"command\":\"echo fine\"}").body().contains("\"stdout\":\"fine\\n\"");
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** All jobs of the owner. */
    public List<JsonNode> jobs() throws IOException, InterruptedException {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = get("/v1/jobs?limit=100" + cursor);
            page.path("data").forEach(all::add);
            cursor = page.path("next_cursor").isString()
                    ? "&cursor=" + page.path("next_cursor").asString()
                    : "";
        } while (!cursor.isEmpty());
        return all;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
