package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The stream of all jobs: whoever lost the connection goes on where it was. Jobs that cannot run are jobs, too, and need no jail. */
class BulletinTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        service = new TestService(directory);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static String job(String token) throws Exception {
        HttpResponse<String> answer =
                service.post(token, "/v1/jobs", "{\"argv\":[\"true\"],\"profile\":\"no-such-profile\"}");
        return JsonTree.read(answer.body()).path("job_id").asString();
    }

    /** The first lines of a stream that has no end, without blank ones. */
    private static List<String> lines(HttpRequest request, int count) throws Exception {
        List<String> lines = new ArrayList<>();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpResponse<java.io.InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
            assertThat(answer.statusCode()).isEqualTo(200);
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                while (lines.size() < count) {
                    String line = reader.readLine();
                    assertThat(line).as("the stream ended").isNotNull();
                    if (!line.isBlank()) {
                        lines.add(line);
                    }
                }
            }
            client.shutdownNow();
        }
        return lines;
    }

    private static List<JsonNode> notices(String token, String path, int count) throws Exception {
        return lines(
                        service.request(token, path)
                                .header("Accept", "application/x-ndjson")
                                .build(),
                        count)
                .stream()
                .map(JsonTree::read)
                .toList();
    }

    @Test
    void whoComesBackMissesNothingAndSeesOnlyItsOwn() throws Exception {
        String first = job(service.alice);
        String second = job(service.alice);
        String others = job(service.bob);
        List<JsonNode> all = notices(service.alice, "/v1/events?after=0", 4);
        assertThat(all).allMatch(notice -> notice.path("event").asString().equals("job"));
        assertThat(all.getFirst().path("data").path("id").asString()).isEqualTo(first);
        assertThat(all)
                .anyMatch(notice -> notice.path("data").path("id").asString().equals(second));
        assertThat(all)
                .noneMatch(notice -> notice.path("data").path("id").asString().equals(others));
        long seen = all.get(1).path("id").asLong();
        JsonNode next = notices(service.alice, "/v1/events?after=" + seen, 1).getFirst();
        assertThat(JsonTree.text(next)).isEqualTo(JsonTree.text(all.get(2)));

        List<String> events = lines(
                service.request(service.alice, "/v1/events")
                        .headers("Accept", "text/event-stream", "Last-Event-ID", Long.toString(seen))
                        .build(),
                4);
        assertThat(events).contains("id: " + all.get(2).path("id").asLong());
        assertThat(String.join("\n", events)).doesNotContain("id: " + seen + "\n");
        assertThat(notices(service.bob, "/v1/events?after=0", 1)
                        .getFirst()
                        .path("data")
                        .path("id")
                        .asString())
                .isEqualTo(others);
        assertThat(service.get(service.alice, "/v1/events?after=x").statusCode())
                .isEqualTo(400);
    }
}
