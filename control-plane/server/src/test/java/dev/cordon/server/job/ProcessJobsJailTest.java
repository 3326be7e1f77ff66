package dev.cordon.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The level process, through the real service: a job that runs as the service's own user could connect to its socket and make itself an
 * administrator, so that asking for it by name is not enough.
 */
@Tag("jail")
@Tag("asUser")
class ProcessJobsJailTest {
    private static final String JOB = "{\"argv\":[\"id\",\"-u\"],\"isolation\":\"process\"}";
    private static final String RULE =
            "[[rule]]\nname = \"operators-own\"\nwhen = { owner = \"alice\", isolation = \"process\" }\n";

    @TempDir
    Path directory;

    private Path policy;
    private Path tools;

    @BeforeAll
    static void needed() {
        UserNamespaces.assumeAvailable();
    }

    @BeforeEach
    void files() throws Exception {
        // As root such jobs have a uid of their own, which has to reach its work directory below this one.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        policy = directory.resolve("policy.toml");
        Files.writeString(policy, "version = 1\n");
        tools = Files.createDirectory(directory.resolve("tools"));
        Files.write(
                tools.resolve("whoami.toml"),
                List.of(
                        "name = 'whoami'",
                        "description = 'says who it is'",
                        "argv = ['id', '-u']",
                        "isolation = 'process'"));
    }

    private TestService service(String... settings) throws Exception {
        List<String> lines = new ArrayList<>(List.of(settings));
        lines.addAll(List.of("[policy]", "file = \"" + policy + "\"", "[tools]", "directory = \"" + tools + "\""));
        return new TestService(directory, lines.toArray(String[]::new));
    }

    private static int uid() throws Exception {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    @Test
    void nobodyHasItWhomNoRuleNames() throws Exception {
        Files.writeString(policy, "[[rule]]\nname = \"all\"\n", StandardOpenOption.APPEND);
        try (TestService service = service()) {
            for (String token : List.of(service.alice, service.admin)) {
                for (String[] request : new String[][] {
                    {"/v1/jobs", JOB},
                    {"/v1/jobs", JOB.replace("\"process\"", "{\"min\":\"process\"}")},
                    {"/v1/sandboxes", "{\"isolation\":\"process\"}"},
                    {"/v1/tools/whoami", "{}"},
                }) {
                    HttpResponse<String> answer = service.post(token, request[0], request[1]);
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
                    assertThat(answer.body())
                            .contains("isolation: process")
                            .contains("ask for jail")
                            .contains("owner = NAME");
                }
            }
            String explained =
                    service.post(service.alice, "/v1/policy/explain", JOB).body();
            assertThat(explained).contains("\"allowed\":false").contains("isolation: process");
        }
    }

    @Test
    void aRuleGivesItToItsOwnerAndNotAsTheServicesOwnUser() throws Exception {
        Files.writeString(policy, RULE, StandardOpenOption.APPEND);
        try (TestService service = service()) {
            HttpResponse<String> job = service.post(service.alice, "/v1/jobs", JOB);
            HttpResponse<String> sandbox = service.post(service.alice, "/v1/sandboxes", "{\"isolation\":\"process\"}");
            if (uid() == 0) {
                assertThat(JsonTree.read(job.body()).path("stdout").asString().strip())
                        .as(job.body())
                        .isNotEmpty()
                        .isNotEqualTo("0");
                assertThat(sandbox.statusCode()).isEqualTo(201);
            } else {
                for (HttpResponse<String> answer : List.of(job, sandbox)) {
                    assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
                    assertThat(answer.body()).contains("server.process_jobs_as_service_user");
                }
            }
            assertThat(service.post(service.bob, "/v1/jobs", JOB).statusCode()).isEqualTo(403);
        }
    }

    @Test
    void anOperatorCanSayInWordsThatItMayBeTheServicesOwnUser() throws Exception {
        Files.writeString(policy, RULE, StandardOpenOption.APPEND);
        try (TestService service = service("process_jobs_as_service_user = true")) {
            String out = service.run(JOB).path("stdout").asString().strip();
            assertThat(out).isNotEmpty();
            assertThat(out.equals(Integer.toString(uid()))).isEqualTo(uid() != 0);
            assertThat(service.post(service.bob, "/v1/jobs", JOB).statusCode()).isEqualTo(403);
        }
    }
}
