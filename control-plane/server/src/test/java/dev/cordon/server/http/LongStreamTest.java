package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.server.TestService;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream on which nothing happens lives on the signs of life that the service sends, longer than a connection may be idle. */
@Tag("long")
class LongStreamTest {
    private static final int SIGNS = 4; // one each 15 s: past the 30 s of an idle connection, and the 5 s of who looks

    @TempDir
    Path directory;

    @Test
    void aQuietStreamIsNotTakenForAClientThatSendsNothing() throws Exception {
        try (TestService service = new TestService(directory);
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            HttpRequest request = HttpRequest.newBuilder(service.uri("/v1/events"))
                    .header("Authorization", "Bearer " + service.admin)
                    .build();
            HttpResponse<Stream<String>> answer = client.send(request, BodyHandlers.ofLines());
            assertThat(answer.statusCode()).isEqualTo(200);
            try (Stream<String> lines = answer.body()) {
                assertThat(lines.filter(line -> line.contains("still there")).limit(SIGNS))
                        .hasSize(SIGNS);
            }
            client.shutdownNow();
        }
    }
}
