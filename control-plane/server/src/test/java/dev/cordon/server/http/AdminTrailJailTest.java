package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What administrators do leaves a trace, before it is done. */
@Tag("jail")
class AdminTrailJailTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(directory);
    }

    @AfterAll
    static void stop() throws Exception {
        if (service != null) {
            service.close();
            assertThat(LogVerifier.verify(log(), List.of()).breakage()).isNull();
        }
    }

    private static Path log() {
        return directory.resolve("state/audit");
    }

    private static List<AuditRecord> acts(String object) throws IOException {
        return new AuditReader(log())
                .last(
                        100,
                        record -> record.text("kind").equals("admin")
                                && record.text("object").equals(object));
    }

    private static List<String> titles(String object) throws IOException {
        return acts(object).stream().map(record -> record.text("act")).toList();
    }

    private static String created(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return JsonTree.read(answer.body()).path("id").asString();
    }

    @Test
    void aTokenIsNotMadeUnseen() throws Exception {
        HttpResponse<String> made = service.post(
                service.admin, "/v1/admin/tokens", "{\"owner\":\"eve\",\"role\":\"admin\"}", "X-Request-ID", "r-17");
        String id = created(made);
        String secret = JsonTree.read(made.body()).path("token").asString();
        AuditRecord act = acts(id).getFirst();
        assertThat(act.text("caller")).startsWith("token:");
        assertThat(act.text("owner")).isEqualTo("eve");
        assertThat(act.text("request")).isEqualTo("r-17");
        assertThat(act.line()).contains("\"role\":\"admin\"").doesNotContain(secret);
        assertThat(service.send(service.admin, "DELETE", "/v1/admin/tokens/" + id, null)
                        .statusCode())
                .isEqualTo(204);
        assertThat(titles(id)).containsExactly("POST /v1/admin/tokens", "DELETE /v1/admin/tokens/{id}");
        JsonNode told = JsonTree.read(service.get(service.admin, "/v1/admin/audit?kind=admin&limit=100")
                .body());
        assertThat(told.path("data").toString()).contains("\"object\":\"" + id + "\"");
    }

    @Test
    void whatCannotBeRecordedIsNotDoneButWhatEndsSomethingIs() throws Exception {
        String id = created(service.post(service.admin, "/v1/admin/tokens", "{\"owner\":\"eve\"}"));
        Path head = log().resolve("audit.head");
        byte[] good = Files.readAllBytes(head);
        try {
            Files.write(head, new byte[good.length], StandardOpenOption.WRITE);
            HttpResponse<String> refused = service.post(service.admin, "/v1/admin/tokens", "{\"owner\":\"mallory\"}");
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
            assertThat(refused.body()).contains("recorded first");
            assertThat(service.get(service.admin, "/v1/admin/tokens").body()).doesNotContain("mallory");
            assertThat(service.get(service.admin, "/readyz").statusCode()).isEqualTo(503);
            assertThat(service.send(service.admin, "DELETE", "/v1/admin/tokens/" + id, null)
                            .statusCode())
                    .isEqualTo(204);
        } finally {
            Files.write(head, good, StandardOpenOption.WRITE);
        }
        await().until(() -> titles(id).size() == 2);
    }

    @Test
    void theServiceItselfIsNotChangedUnseen() throws Exception {
        assertThat(service.post(service.admin, "/v1/admin/reload", "{}").statusCode())
                .isEqualTo(200);
        assertThat(titles("")).contains("POST /v1/admin/reload");
    }

    @Test
    void whatIsAnothersIsNotTouchedUnseen() throws Exception {
        String job = service.start("{\"command\":\"sleep 600\"}");
        await().until(() -> service.get(service.alice, "/v1/jobs/" + job).body().contains("\"running\""));
        assertThat(service.get(service.admin, "/v1/jobs/" + job).statusCode()).isEqualTo(200);
        assertThat(service.post(service.admin, "/v1/jobs/" + job + "/signal", "{\"signal\":\"SIGCONT\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(service.send(service.admin, "DELETE", "/v1/jobs/" + job, null)
                        .statusCode())
                .isEqualTo(202);
        assertThat(titles(job)).containsExactly("POST /v1/jobs/{id}/signal", "DELETE /v1/jobs/{id}");
        assertThat(acts(job)).allSatisfy(act -> assertThat(act.text("owner")).isEqualTo("alice"));
    }

    @Test
    void filesAndCommandsInAnothersSandboxAreSeen() throws Exception {
        String box = created(service.post(service.alice, "/v1/sandboxes", "{}"));
        String path = "/v1/sandboxes/" + box;
        assertThat(service.send(service.alice, "PUT", path + "/files/own.txt", "mine")
                        .statusCode())
                .isEqualTo(204);
        assertThat(service.get(service.admin, path + "/files/own.txt").body()).isEqualTo("mine");
        assertThat(service.post(service.admin, path + "/jobs", "{\"command\":\"true\"}")
                        .statusCode())
                .isEqualTo(200);
        service.send(service.admin, "DELETE", path, null);
        assertThat(titles(box))
                .containsExactly(
                        "GET /v1/sandboxes/{id}/files/<path>",
                        "POST /v1/sandboxes/{id}/jobs",
                        "DELETE /v1/sandboxes/{id}");
        assertThat(acts(box).getFirst().line()).contains("\"details\":{\"path\":\"own.txt\"}");
    }

    @Test
    void whatIsOnesOwnIsNoActOnAnothers() throws Exception {
        HttpResponse<String> answer = service.post(service.admin, "/v1/jobs", "{\"argv\":[\"true\"]}");
        String job = JsonTree.read(answer.body()).path("id").asString();
        service.send(service.admin, "DELETE", "/v1/jobs/" + job, null);
        assertThat(acts(job)).isEmpty();
    }
}
