package dev.cordon.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Jobs that write much: told whole, listed without it, and forgotten before they fill the disk. */
@Tag("jail")
class OutputJailTest {
    private static final int MOST = 256 << 10;
    private static final String LOUD =
            "{\"command\":\"head -c 250000 /dev/zero | tr '\\\\0' x; head -c 250000 /dev/zero | tr '\\\\0' y >&2\","
                    + "\"limits\":{\"output\":" + MOST + "}}";

    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(directory, "max_output = \"256K\"", "keep_output = \"4M\"");
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static long bytesOfOutputs() throws Exception {
        long bytes = 0;
        try (Stream<Path> files = Files.list(service.state.resolve("outputs"))) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @Test
    void muchOutputIsToldWholeAndListedWithoutIt() throws Exception {
        HttpResponse<String> answer = service.post(service.alice, "/v1/jobs", LOUD);
        JsonNode job = JsonTree.read(answer.body());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(job.path("stdout").asString()).hasSize(250_000).matches("x+");
        assertThat(job.path("stderr").asString()).hasSize(250_000).matches("y+");
        String id = job.path("id").asString();
        assertThat(JsonTree.read(service.get(service.alice, "/v1/jobs/" + id).body()))
                .isEqualTo(job);
        assertThat(JsonTree.read(service.send(service.alice, "DELETE", "/v1/jobs/" + id, null)
                        .body()))
                .isEqualTo(job);
        String list = service.get(service.alice, "/v1/jobs?limit=100").body();
        assertThat(list).contains(id).doesNotContain("xxxx");
        assertThat(service.state.resolve("outputs/" + id + ".json")).isRegularFile();
        assertThat(Files.readString(service.state.resolve("cordon.db"), StandardCharsets.ISO_8859_1))
                .doesNotContain("xxxx");
    }

    @Test
    void anOwnerWhoWritesMuchForgetsHisOwnJobs() throws Exception {
        HttpResponse<String> first = service.post(service.alice, "/v1/jobs", LOUD, "Idempotency-Key", "loud");
        assertThat(first.statusCode()).isEqualTo(200);
        String bobs = JsonTree.read(service.post(service.bob, "/v1/jobs", LOUD).body())
                .path("id")
                .asString();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            ids.add(service.run(LOUD).path("id").asString());
        }
        assertThat(bytesOfOutputs()).isLessThan(4 << 20);
        assertThat(service.get(service.bob, "/v1/jobs/" + bobs).statusCode()).isEqualTo(200);
        assertThat(service.get(service.alice, "/v1/jobs/" + ids.getLast()).statusCode())
                .isEqualTo(200);
        HttpResponse<String> again = service.post(service.alice, "/v1/jobs", LOUD, "Idempotency-Key", "loud");
        assertThat(again.statusCode()).as(again.body()).isEqualTo(410);
        assertThat(again.body()).contains("\"code\":\"job_forgotten\"");
    }

    @Test
    void jobsAreRecordedUnlessTheOperatorSaysOtherwise() throws Exception {
        String id = service.run("{\"argv\":[\"true\"]}").path("id").asString();
        assertThat(service.get(service.admin, "/v1/admin/audit?job=" + id).body())
                .contains(id);
    }

    @Test
    void thereIsACeilingWhereTheOperatorSetNone() throws Exception {
        assertThat(service.get(service.alice, "/v1/info").body()).contains("\"timeout\":\"1h\"");
        for (String limit : List.of("\"memory\":\"16000000M\"", "\"cpus\":1024", "\"timeout\":\"604800s\"")) {
            HttpResponse<String> answer =
                    service.post(service.alice, "/v1/jobs", "{\"argv\":[\"true\"],\"limits\":{" + limit + "}}");
            assertThat(answer.statusCode()).as(answer.body()).isBetween(400, 499);
        }
    }

    @Test
    void headersAreReadBeforeAJobIsStarted() throws Exception {
        String labelled = "{\"argv\":[\"true\"],\"labels\":{\"of\":\"headers\"}}";
        assertThat(service.post(service.alice, "/v1/jobs", labelled, "Prefer", "wait=abc")
                        .statusCode())
                .isEqualTo(400);
        assertThat(service.post(
                                service.alice,
                                "/v1/jobs",
                                labelled,
                                "Accept",
                                "text/event-stream",
                                "Last-Event-ID",
                                "abc")
                        .statusCode())
                .isEqualTo(400);
        JsonNode list = JsonTree.read(
                service.get(service.alice, "/v1/jobs?label=of=headers").body());
        assertThat(list.path("data").size()).as(list.toString()).isZero();
    }
}
