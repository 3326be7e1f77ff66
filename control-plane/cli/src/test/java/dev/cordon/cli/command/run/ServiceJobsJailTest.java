package dev.cordon.cli.command.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.cli.TerminalDriver;
import dev.cordon.cli.TestStdio;
import dev.cordon.cli.client.ServiceAddress;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.terminal.RunningService;
import dev.cordon.fixture.UserNamespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Jobs of a service: listed, shown, watched and ended. */
@Tag("jail")
class ServiceJobsJailTest {
    private static RunningService service;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new RunningService();
    }

    @AfterAll
    static void stop() throws Exception {
        if (service != null) {
            service.close();
        }
    }

    private static TestStdio run(int code, String... words) {
        TestStdio stdio = new TestStdio().environment(service.unix());
        assertThat(stdio.run(words)).as(stdio.err()).isEqualTo(code);
        return stdio;
    }

    private static JsonNode json(String... words) {
        return ServiceClient.MAPPER.readTree(run(0, words).out());
    }

    private static String started() throws Exception {
        ServiceClient client = new ServiceClient(ServiceAddress.parse(service.host(), ""), null);
        String id = client.started(
                "/v1/jobs",
                ServiceClient.MAPPER
                        .createObjectNode()
                        .put("command", "echo ready; while :; do :; done")
                        .set(
                                "limits",
                                ServiceClient.MAPPER
                                        .createObjectNode()
                                        .put("timeout", "10m")
                                        .put("cpu_time", "10m")));
        await().atMost(Duration.ofMinutes(2))
                .until(() -> json("ps", "--json", id).path("state").asString("").equals("running"));
        return id;
    }

    @Test
    void jobsAreListedTheNewestFirstAndShown() {
        run(3, "run", "--label", "a=b", "--", "sh", "-c", "exit 3");
        run(0, "run", "--", "true");
        JsonNode page = json("ps", "--jobs", "-n", "1", "--json");
        assertThat(page.path("data").size()).isEqualTo(1);
        assertThat(page.path("next_cursor").asString("")).isNotEmpty();
        JsonNode jobs = json("ps", "--jobs", "-n", "1000", "--json").path("data");
        assertThat(jobs.get(0)).isEqualTo(page.path("data").get(0));
        assertThat(jobs.get(0).path("outcome").asString("")).isEqualTo("ok");
        String id = jobs.get(1).path("id").asString("");
        assertThat(run(0, "ps", "--jobs").out())
                .startsWith("ID  ")
                .containsPattern(id + "  finished  nonzero_exit      jail     +[0-9]+[smh]  local\n");
        assertThat(run(0, "ps", id).out())
                .contains(
                        "id            " + id + "\n",
                        "exit_code     3\n",
                        "labels        a=b\n",
                        "level         jail\n");
        assertThat(json("ps", "--json", id).path("stdout").isString()).isTrue();
        assertThat(run(1, "ps", "job_absent").err()).isEqualTo("cordon: there is no job job_absent of yours\n");
        assertThat(run(2, "ps", "-n", "0", "--jobs").err()).contains("-n takes a number from 1");
        TestStdio nowhere = new TestStdio().environment(Map.of("CORDON_HOST", "none"));
        assertThat(nowhere.run("ps", "--jobs")).isEqualTo(2);
        assertThat(nowhere.err()).contains("no service is there");
    }

    @Test
    void logsAreEventsInJsonAndAKillTellsWhatEnded() throws Exception {
        String id = started();
        await().untilAsserted(() -> assertThat(run(0, "logs", "--json", id).out())
                .contains("{\"event\":\"stdout\"", "\"text\":\"ready\\n\""));
        JsonNode killed = json("kill", "--json", id).path("data");
        assertThat(killed.size()).isEqualTo(1);
        assertThat(killed.get(0).path("id").asString("")).isEqualTo(id);
        List<String> events = run(0, "logs", "-f", "--json", id).out().lines().toList();
        assertThat(events.getLast()).startsWith("{\"event\":\"exit\"").contains("canceled");
        assertThat(json("ps", "--json", id).path("outcome").asString("")).isEqualTo("canceled");
    }

    /** Whether this host measures a job's CPU time while it runs: always for root, else where cgroups are delegated. */
    private static boolean measured(String id) throws IOException {
        JsonNode job = json("top", "--json")
                .path("jobs")
                .valueStream()
                .filter(each -> each.path("id").asString("").equals(id))
                .findFirst()
                .orElseThrow();
        boolean measured = job.path("metrics").path("cpu_ms").isNumber();
        assertThat(measured
                        || !Files.getAttribute(Path.of("/proc/self"), "unix:uid")
                                .equals(0))
                .isTrue();
        return measured;
    }

    @Test
    @Tag("asUser")
    void withoutATerminalTopIsPrintedOnce() throws Exception {
        String id = started();
        String cpu = measured(id) ? "[0-9]+ %" : "-";
        assertThat(run(0, "top").out())
                .containsPattern("(?m)^[0-9]+ jobs run, 0 sandboxes are open$")
                .containsPattern("(?m)^" + id + "  running  - +[0-9]+[smh] +" + cpu + " .*  local$");
        run(0, "kill", id);
        TestStdio nowhere = new TestStdio().environment(Map.of("CORDON_HOST", "none"));
        assertThat(nowhere.run("top")).isEqualTo(2);
        assertThat(nowhere.err()).contains("no service is there");
    }

    @Test
    void onATerminalTopIsDrawnAnewWhenAJobEnds() throws Exception {
        String id = started();
        String cpu = measured(id) ? " %" : "running"; // a figure needs a second look
        List<String> told = TerminalDriver.session(
                folder,
                service.unix(),
                List.of(
                        "expect " + id,
                        "expect " + cpu,
                        "run " + TerminalDriver.cordon() + " kill " + id,
                        "expect 0 jobs run",
                        "signal 2"),
                "top");
        assertThat(told).containsExactly("[0]", "exit 130", "mode restored");
    }
}
