package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.job.JsonTree;
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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The host fails under a service that runs: it refuses jobs meanwhile, loses no end, and works again afterwards without a restart. */
@Tag("jail")
@ExtendWith(ServiceLogs.class)
class FaultsJailTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SLEEP = "{\"command\":\"exec sleep 600\",\"limits\":{\"timeout\":\"600s\"}}";

    @TempDir
    Path directory;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private ServeProcess service;
    private String token = "";
    private int port;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "needs prlimit of util-linux");
    }

    @BeforeEach
    void start() throws Exception {
        ServeState state = ServeState.in(directory);
        token = state.token();
        service = state.serve();
        port = service.port();
        works();
    }

    @AfterEach
    void stop() throws Exception {
        client.shutdownNow();
        service.stop();
        service.close();
    }

    private HttpResponse<String> call(String method, String path, String body, String preference) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .headers("Authorization", "Bearer " + token, "Content-Type", "application/json")
                        .header("Prefer", preference)
                        .timeout(PATIENCE)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String body) throws Exception {
        return call("POST", "/v1/jobs", body, "wait=30");
    }

    private JsonNode job(String id) throws Exception {
        return JsonTree.read(call("GET", "/v1/jobs/" + id, "", "wait=0").body());
    }

    private void works() throws Exception {
        assertThat(post("{\"command\":\"echo fine\"}").body()).contains("\"stdout\":\"fine\\n\"");
    }

    private boolean worksAgain() {
        try {
            return post("{\"command\":\"echo fine\"}").body().contains("\"stdout\":\"fine\\n\"");
        } catch (Exception notYet) {
            return false;
        }
    }

    private String running() throws Exception {
        String id = JsonTree.read(
                        call("POST", "/v1/jobs", SLEEP, "respond-async").body())
                .path("id")
                .asString();
        await().atMost(PATIENCE).until(() -> job(id).path("state").asString().equals("running"));
        return id;
    }

    private void limit(String limit) throws Exception {
        Process prlimit = new ProcessBuilder(
                        "prlimit", "--pid", Long.toString(service.handle().pid()), limit)
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor()).isZero();
    }

    private long descriptors() throws IOException {
        try (Stream<Path> entries =
                Files.list(Path.of("/proc/" + service.handle().pid() + "/fd"))) {
            return entries.count();
        }
    }

    /** the service outlives the supervisor of a job, and the job has an end that says so. */
    @Test
    void aSupervisorIsKilled() throws Exception {
        String id = running();
        List<ProcessHandle> children = service.handle().children().toList();
        assertThat(children).isNotEmpty();
        List<ProcessHandle> all = service.handle().descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        await().atMost(PATIENCE).until(() -> job(id).path("state").asString().equals("finished"));
        assertThat(job(id).path("outcome").asString()).isEqualTo("sandbox_error");
        assertThat(job(id).path("error").path("code").asString()).isEqualTo("supervisor_lost");
        await().atMost(PATIENCE).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
        works();
    }

    /** nothing can be written, as on a full disk (here the kernel refuses every file to grow). */
    @Test
    void theDiskIsFull() throws Exception {
        String id = running();
        limit("--fsize=0:");
        HttpResponse<String> refused = call("POST", "/v1/jobs", SLEEP, "wait=30");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        String never = JsonTree.read(refused.body()).path("job_id").asString();
        assertThat(call("DELETE", "/v1/jobs/" + id, "", "respond-async").statusCode())
                .isEqualTo(202);
        assertThat(service.handle().isAlive()).isTrue();
        limit("--fsize=unlimited:");
        await().atMost(PATIENCE).until(() -> job(id).path("state").asString().equals("finished"));
        assertThat(job(id).path("outcome").asString()).isEqualTo("canceled");
        await().atMost(PATIENCE).until(this::worksAgain);
        await().atMost(PATIENCE).until(() -> job(never).path("state").asString().equals("finished"));
    }

    /** A result that waits for the disk is the one that it was. */
    @Test
    void theDiskIsFullWhenMuchWasWritten() throws Exception {
        String line = "{\"command\":\"read x; yes | head -c 100000\",\"stdin_open\":true}";
        String id = JsonTree.read(
                        call("POST", "/v1/jobs", line, "respond-async").body())
                .path("id")
                .asString();
        await().atMost(PATIENCE).until(() -> job(id).path("state").asString().equals("running"));
        limit("--fsize=0:");
        assertThat(call("POST", "/v1/jobs/" + id + "/stdin?eof=true", "go\n", "wait=0")
                        .statusCode())
                .isEqualTo(204);
        await().atMost(PATIENCE)
                .until(() -> call("GET", "/readyz", "", "wait=0").statusCode() == 503);
        limit("--fsize=unlimited:");
        await().atMost(PATIENCE).until(() -> job(id).path("state").asString().equals("finished"));
        assertThat(job(id).path("outcome").asString()).isEqualTo("ok");
        assertThat(job(id).path("stdout").asString()).hasSize(100_000);
    }

    /** no descriptor is left, neither for a job nor for a connection. */
    @Test
    void descriptorsRunOut() throws Exception {
        works();
        long before = descriptors();
        limit("--nofile=16:");
        // Over a connection that is open.
        HttpResponse<String> without = call("POST", "/v1/jobs", "{\"command\":\"echo lost\"}", "wait=30");
        assertThat(without.statusCode()).as(without.body()).isEqualTo(503);
        JsonNode answer = JsonTree.read(without.body());
        assertThat(answer.path("code").asString()).as(without.body()).isEqualTo("no_capacity");
        assertThat(without.headers().firstValue("Retry-After")).isPresent();
        limit("--nofile=4096:");
        await().atMost(PATIENCE).until(this::worksAgain);
        JsonNode end = job(answer.path("job_id").asString());
        assertThat(end.path("state").asString()).as(end.toString()).isEqualTo("finished");
        await().atMost(PATIENCE).until(() -> descriptors() <= before + 5);
    }
}
