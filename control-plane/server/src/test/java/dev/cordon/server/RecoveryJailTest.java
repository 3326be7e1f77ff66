package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.RecordSubject;
import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.write.AuditLog;
import dev.cordon.config.AuditSettings;
import dev.cordon.fixture.UserNamespaces;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.job.LanguageRuntimes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A service that dies or is stopped while jobs run. */
@Tag("jail")
@Tag("asUser")
@ExtendWith(ServiceLogs.class)
class RecoveryJailTest {
    private static final int JOBS = 12;

    @TempDir
    Path directory;

    private String token = "";
    private ServeState state;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @BeforeEach
    void prepare() throws IOException {
        state = ServeState.in(directory, "max_running = 8", "max_running_per_owner = 8");
        token = state.token();
    }

    private ServeProcess serve() throws IOException {
        return state.serve();
    }

    private JsonNode call(int port, String method, String path, String body) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .headers(
                                    "Authorization",
                                    "Bearer " + token,
                                    "Content-Type",
                                    "application/json",
                                    "Prefer",
                                    "respond-async")
                            .method(method, BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
            return JsonTree.read(answer.body());
        }
    }

    private List<String> startJobs(int port, String marker) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            ids.add(call(port, "POST", "/v1/jobs", "{\"command\":\"exec sleep " + marker + "\"}")
                    .path("id")
                    .asString());
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> processes(marker) > 0);
        return ids;
    }

    /** How many processes of this host have that word among their arguments. */
    private static long processes(String marker) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.filter(entry -> entry.getFileName().toString().matches("\\d+"))
                    .filter(entry -> commandLine(entry).contains("sleep\0" + marker))
                    .count();
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"));
        } catch (IOException | RuntimeException gone) {
            return "";
        }
    }

    /** A user without ids to hand out needs no directory there. */
    private List<Path> directoriesOfRun() throws IOException {
        if (!Files.exists(directory.resolve("run"))) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory.resolve("run"))) {
            return entries.filter(Files::isDirectory)
                    .filter(entry -> entry.getFileName().toString().contains("-"))
                    .toList();
        }
    }

    private List<String> ends(String id) throws IOException {
        return new AuditReader(directory.resolve("state/audit"))
                        .last(
                                10,
                                record -> record.text("job").equals(id)
                                        && record.text("kind").equals("end"))
                        .stream()
                        .map(record -> record.text("outcome"))
                        .toList();
    }

    @Test
    void everyJobOfAServiceThatWasKilledHasExactlyOneEnd() throws Exception {
        String marker = "31536" + ProcessHandle.current().pid();
        List<String> ids;
        List<Path> before;
        try (ServeProcess first = serve()) {
            ids = startJobs(first.port(), marker);
            before = directoriesOfRun();
            first.kill();
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> processes(marker) == 0);
        try (ServeProcess second = serve()) {
            int port = second.port();
            for (String id : ids) {
                JsonNode job = call(port, "GET", "/v1/jobs/" + id, "");
                assertThat(job.path("state").asString()).as(job.toString()).isEqualTo("finished");
                assertThat(job.path("outcome").asString()).isEqualTo("lost");
                assertThat(ends(id)).as("in the audit log").containsExactly("lost");
            }
            JsonNode list = call(port, "GET", "/v1/jobs?limit=100", "");
            assertThat(list.path("data").size()).isEqualTo(JOBS);
            String next = call(port, "POST", "/v1/jobs", "{\"command\":\"echo again\"}")
                    .path("id")
                    .asString();
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> call(port, "GET", "/v1/jobs/" + next + "?wait_ms=10000", "")
                            .path("stdout")
                            .asString("")
                            .equals("again\n"));
            for (Path left : before) {
                await().atMost(Duration.ofSeconds(20)).until(() -> !Files.exists(left));
            }
            second.stop();
        }
        assertThat(Files.exists(directory.resolve("s"))).isFalse();
    }

    @Test
    void aServiceThatIsStoppedEndsItsJobsAndSaysSo() throws Exception {
        String marker = "41536" + ProcessHandle.current().pid();
        List<String> ids;
        try (ServeProcess first = serve()) {
            ids = startJobs(first.port(), marker);
            assertThat(first.stop()).isEqualTo(143);
        }
        assertThat(processes(marker)).isZero();
        try (ServeProcess second = serve()) {
            for (String id : ids) {
                assertThat(call(second.port(), "GET", "/v1/jobs/" + id, "")
                                .path("outcome")
                                .asString())
                        .isEqualTo("canceled");
            }
            second.stop();
        }
    }

    /** What the service runs for itself is in no list of jobs, but in the audit log like any other. */
    @Test
    void aJobOfTheServiceItselfThatWasLostHasAnEnd() throws Exception {
        Path audit = Files.createDirectories(AuditEnds.directory(state));
        Files.setPosixFilePermissions(audit, PosixFilePermissions.fromString("rwx------"));
        try (AuditLog log = new AuditLog(new AuditSettings(true, audit, ByteSize.mib(1), ByteSize.gib(1), false))) {
            for (String owner : List.of(LanguageRuntimes.OWNER, "bob")) {
                RecordSubject subject =
                        RecordSubject.unknown(new JobId("job_of_" + owner.substring(0, 3)), owner, null);
                log.admit(List.of(new AuditEvent.Started(subject, Isolation.JAIL, "strict")));
            }
        }
        for (int i = 0; i < 2; i++) { // and the second start finds it
            try (ServeProcess service = serve()) {
                service.port();
                service.stop();
            }
        }
        assertThat(ends("job_of_cor")).containsExactly("lost");
        assertThat(ends("job_of_bob")).as("perhaps another process runs it").isEmpty();
    }
}
