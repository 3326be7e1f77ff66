package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.server.job.JsonTree;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** the supervisor of a sandbox has no descriptors left. */
@Tag("jail")
class DescriptorsJailTest extends ServedTest {
    @BeforeAll
    static void needs() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "needs prlimit of util-linux");
    }

    private static void limit(ProcessHandle process, String limit) throws Exception {
        assertThat(new ProcessBuilder("prlimit", "--pid", Long.toString(process.pid()), limit)
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    /** A sandbox whose supervisor has none left ends, and says so; the service goes on. */
    @Test
    void aSupervisorHasNone() throws Exception {
        assertThat(calls.works()).isTrue();
        HttpResponse<String> opened = calls.send("POST", "/v1/sandboxes", "{\"limits\":{\"memory\":\"128M\"}}");
        assertThat(opened.statusCode()).as(opened.body()).isEqualTo(201);
        String sandbox = opened.headers().firstValue("Location").orElseThrow();
        Marked marked = Marked.by(63);
        String sleeper = JsonTree.read(calls.send(
                                "POST",
                                sandbox + "/jobs",
                                "{\"command\":\"exec sleep " + marked.seconds() + "\"}",
                                "Prefer",
                                "respond-async")
                        .body())
                .path("id")
                .asString();
        await().atMost(ServiceCalls.PATIENCE).until(() -> !marked.processes().isEmpty());
        ProcessHandle supervisor = above(marked.processes().getFirst()).getLast();
        limit(supervisor, "--nofile=3:");
        HttpResponse<String> job =
                calls.send("POST", sandbox + "/jobs", "{\"command\":\"echo x\"}", "Prefer", "wait=5");
        // A message whose descriptors were cut off is half a message: the sandbox ends, and nothing of it is left.
        assertThat(job.statusCode()).isEqualTo(500);
        assertThat(JsonTree.read(job.body()).path("code").asString()).isEqualTo("supervisor_lost");
        await().atMost(ServiceCalls.PATIENCE).until(() -> marked.processes().isEmpty());
        await().atMost(ServiceCalls.PATIENCE).until(() -> calls.is(sleeper, "finished"));
        HttpResponse<String> file = calls.send("PUT", sandbox + "/files/a.txt", "content");
        assertThat(file.statusCode()).as(file.body()).isEqualTo(410);
        AuditEnds.assertOneEach(
                AuditEnds.directory(state),
                List.of(sleeper, JsonTree.read(job.body()).path("job_id").asString()));
        assertThat(calls.works()).isTrue();
    }
}
