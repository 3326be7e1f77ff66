package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Files that a job leaves, collected by descriptor and kept for its owner. */
@Tag("jail")
class ArtifactsJailTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new TestService(directory, "max_artifacts = \"1M\"");
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static JsonNode run(String command) throws Exception {
        return service.run("{\"command\":\"" + command + "\",\"artifacts\":[\"out/**\"]}");
    }

    private static HttpResponse<String> get(String token, JsonNode job, String path) throws Exception {
        return service.get(token, "/v1/jobs/" + job.path("id").asString() + "/artifacts/" + path);
    }

    @Test
    void theyAreListedAndFetchedByTheirOwnerAlone() throws Exception {
        JsonNode job = run("mkdir -p out/d; echo one > out/a; echo two > out/d/b; echo no > c; exit 3");
        assertThat(job.path("exit_code").asInt()).isEqualTo(3);
        assertThat(job.path("artifacts")
                        .valueStream()
                        .map(each -> each.path("path").asString()))
                .containsExactlyInAnyOrder("out/a", "out/d/b");
        HttpResponse<String> answer = get(service.reader, job, "out/d/b");
        assertThat(answer.body()).isEqualTo("two\n");
        assertThat(answer.headers().firstValue("X-Content-SHA256"))
                .contains(job.path("artifacts")
                        .valueStream()
                        .filter(each -> each.path("path").asString().equals("out/d/b"))
                        .findFirst()
                        .orElseThrow()
                        .path("sha256")
                        .asString());
        assertThat(get(service.bob, job, "out/a").statusCode()).isEqualTo(404);
        assertThat(get(service.alice, job, "c").body()).contains("artifact_not_found");
        assertThat(get(service.alice, job, "../../etc/passwd").statusCode()).isBetween(400, 404);
    }

    @Test
    void linksPipesAndTooManyAreLeftOut() throws Exception {
        JsonNode job =
                run("mkdir -p out; ln -s /etc/passwd out/link; mkfifo out/pipe; ln -s /etc out/dir; echo x > out/real");
        assertThat(job.path("artifacts")
                        .valueStream()
                        .map(each -> each.path("path").asString()))
                .containsExactly("out/real");
        JsonNode many = run("mkdir -p out; i=0; while [ $i -lt 150 ]; do echo > out/$i; i=$((i+1)); done");
        assertThat(many.path("artifacts").size()).isEqualTo(100);
        assertThat(many.path("artifacts_truncated").asBoolean()).isTrue();
        assertThat(job.path("artifacts_truncated").asBoolean()).isFalse();
        JsonNode swapped = run("ln -s /etc out");
        assertThat(swapped.path("artifacts").size()).isZero();
    }

    @Test
    void theOldestMakeRoom() throws Exception {
        String big = "mkdir -p out; head -c 600000 /dev/zero > out/big";
        JsonNode first = run(big);
        assertThat(get(service.alice, first, "out/big").statusCode()).isEqualTo(200);
        JsonNode second = run(big);
        assertThat(get(service.alice, second, "out/big").body()).hasSize(600_000);
        assertThat(get(service.alice, first, "out/big").statusCode()).isEqualTo(404);
    }

    @Test
    void theOldestOfWhoeverHasMostMakeRoom() throws Exception {
        JsonNode small = run("mkdir -p out; echo mine > out/a");
        String big = "{\"command\":\"mkdir -p out; head -c 600000 /dev/zero > out/big\",\"artifacts\":[\"out/*\"]}";
        for (int i = 0; i < 3; i++) {
            assertThat(service.post(service.bob, "/v1/jobs", big).statusCode()).isEqualTo(200);
        }
        assertThat(get(service.alice, small, "out/a").body()).isEqualTo("mine\n");
    }

    @Test
    void itsLimitsAreThoseOfAnyJob() throws Exception {
        JsonNode plain = service.run("{\"argv\":[\"true\"]}");
        JsonNode collected = run("true");
        assertThat(collected.path("limits_not_enforced")).isEqualTo(plain.path("limits_not_enforced"));
    }

    @Test
    void whatIsNoPatternIsRefused() throws Exception {
        for (String glob : new String[] {"/etc/*", "../x", "a/../b", "", "a//b"}) {
            HttpResponse<String> answer =
                    service.post(service.alice, "/v1/jobs", "{\"argv\":[\"true\"],\"artifacts\":[\"" + glob + "\"]}");
            assertThat(answer.statusCode()).as(glob).isEqualTo(400);
            assertThat(answer.body()).contains("/artifacts/0");
        }
    }
}
