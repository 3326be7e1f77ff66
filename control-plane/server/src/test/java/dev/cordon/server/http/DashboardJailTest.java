package dev.cordon.server.http;

import static dev.cordon.server.http.DashboardPage.row;
import static dev.cordon.server.http.DashboardPage.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The pages in a real browser, with jobs that run. Screenshots go to build/dashboard. */
@Tag("jail")
class DashboardJailTest {
    private static final String HOSTILE =
            "<script>document.title='owned'</script><img src=x onerror=document.title='owned'>";

    @TempDir
    static Path directory;

    static TestService service;
    static DashboardPage page;

    private List<String> before = List.of();

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "needs Chromium; apt-get install chromium");
        Path policy = Files.writeString(directory.resolve("policy.toml"), """
            version = 1
            [[rule]]
            name = "strangers"
            when = { trust = "untrusted" }
            escalate = true
            """);
        service = new TestService(directory, "[policy]", "file = \"" + policy + "\"");
        page = new DashboardPage(service.uri("/"), directory);
    }

    @AfterAll
    static void stop() {
        if (page != null) {
            page.close();
        }
        if (service != null) {
            service.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        page.signIn(service.admin);
        before = page.complaints();
    }

    /** What the console said in this test: errors and violations of the content security policy. */
    private List<String> complaints() {
        return page.complaints().subList(before.size(), page.complaints().size());
    }

    private static String violation() throws Exception {
        return service.run("{\"command\":\"unshare --user true\",\"trust\":\"untrusted\","
                        + "\"isolation\":{\"escalate\":\"never\"}}")
                .path("id")
                .asString();
    }

    @Test
    void jobsAppearAsTheyRunAndCanBeCancelled() throws Exception {
        String id =
                service.start("{\"command\":\"for i in 1 2 3 4 5; do echo line $i; done; echo no >&2; exec sleep 600\","
                        + "\"labels\":{\"agent\":\"a1\"},\"limits\":{\"timeout\":\"600s\"}}");
        service.run("{\"language\":\"python\",\"code\":\"print(6*7)\"}");
        service.run("{\"command\":\"exit 3\"}");
        service.run("{\"command\":\"exec sleep 60\",\"limits\":{\"timeout\":\"200ms\"}}");
        String violated = violation();
        page.eventually(row("running", id) + "?.textContent.includes('running')");
        page.eventually("document.querySelectorAll('#finished tr').length >= 4");
        page.eventually(row("notable", violated) + " !== undefined");
        page.eventually(text("doctor-summary") + ".includes('passed')");
        page.eventually(text("host-memory-text") + ".includes('free of')");
        page.eventually(text("host-disk-text") + ".includes('free of')");
        for (String colours : List.of("light", "dark")) {
            page.shoot("overview-1280-" + colours + ".png", 1280, colours.equals("dark"));
            page.shoot("overview-400-" + colours + ".png", 400, colours.equals("dark"));
            assertThat(page.evaluate("document.documentElement.scrollWidth").asInt())
                    .isLessThanOrEqualTo(400);
        }
        page.openJob(id);
        page.eventually(text("output") + ".includes('line 5')");
        page.eventually(text("timeline-text") + ".includes('running')");
        page.eventually("!document.getElementById('usage-part').hidden");
        assertThat(page.inModule("plots.js", "m.dataOf('usage')[0].data.length").asInt())
                .isGreaterThanOrEqualTo(2);
        page.shoot("job-1280-light.png", 1280, false);
        page.shoot("job-400-dark.png", 400, true);
        page.evaluate("document.getElementById('detail-cancel').click()");
        page.eventually(text("detail-state") + " === 'canceled'");
        page.evaluate("location.hash = ''");
        page.eventually(row("finished", id) + "?.textContent.includes('canceled')");
        assertThat(complaints()).isEmpty();
    }

    @Test
    void thePlotsCountWhatEnded() throws Exception {
        service.run("{\"argv\":[\"true\"]}");
        service.run("{\"command\":\"exit 3\"}");
        page.signIn(service.admin); // from the history
        String counted = "import(location.origin + '/assets/plots.js').then(m => m.dataOf('%s')"
                + "?.find(set => set.label === '%s')?.data.some(n => n > 0) === true)";
        page.eventually(counted.formatted("outcomes", "ok"));
        page.eventually(counted.formatted("outcomes", "non-zero, canceled"));
        page.eventually(counted.formatted("latency", "jail p50"));
        String ended = "import(location.origin + '/assets/bins.js').then(m => m.view(30, 1)"
                + ".reduce((n, bin) => n + bin.finished, 0))";
        int seen = page.evaluate(ended).asInt();
        service.run("{\"argv\":[\"true\"]}"); // and live
        page.eventually(ended + ".then(n => n === " + (seen + 1) + ")");
        assertThat(complaints()).isEmpty();
    }

    @Test
    void violationsAndRefusedEscalationsAreShown() throws Exception {
        String id = violation();
        page.eventually(row("notable", id) + "?.textContent.includes('unshare')");
        page.eventually(text("notable") + ".includes('the job forbids a second attempt')");
        page.openJob(id);
        page.eventually(text("violations") + ".includes('unshare')");
        page.eventually(text("facts") + ".includes('the job forbids a second attempt')");
        page.eventually("document.querySelectorAll('#attempts tr').length === 1");
        assertThat(page.evaluate(text("detail")).asString()).doesNotContain("null", "undefined");
        page.shoot("violation-1280-light.png", 1280, false);
        assertThat(complaints()).isEmpty();
    }

    @Test
    void aJobThatRunsIsShownHoweverManyEnd() throws Exception {
        String id = service.start("{\"command\":\"exec sleep 600\",\"limits\":{\"timeout\":\"600s\"}}");
        page.eventually(row("running", id) + " !== undefined");
        JsonNode sizes = page.inModule(
                "jobs.js",
                "{ for (let i = 0; i < 1000; i++) m.take({id: 'job-x' + i, state: 'finished', outcome: 'ok',"
                        + " created_at: new Date().toISOString(), finished_at: new Date().toISOString()});"
                        + " return [m.live.has('" + id + "'), m.finished.size]; }");
        assertThat(sizes.get(0).asBoolean()).isTrue();
        assertThat(sizes.get(1).asInt()).isLessThan(1000);
        page.eventually(row("running", id) + ".querySelector('button') !== null");
        page.evaluate(row("running", id) + ".querySelector('button').click()");
        page.eventually("!document.getElementById('running').textContent.includes('" + id + "')");
        assertThat(complaints()).isEmpty();
    }

    @Test
    void anEndThatWasMissedIsAskedFor() throws Exception {
        String id = service.run("{\"command\":\"exit 4\"}").path("id").asString();
        page.eventually(row("finished", id) + " !== undefined");
        page.inModule(
                "jobs.js",
                "{ const job = m.finished.get('" + id + "'); m.finished.delete(job.id);"
                        + " m.take({...job, state: 'running', outcome: null, finished_at: null}); }");
        page.eventually(row("running", id) + " !== undefined");
        page.inModule("jobs.js", "m.reconcile(Date.now() + 1)");
        page.eventually(row("finished", id) + "?.textContent.includes('nonzero_exit')");
        assertThat(page.inModule("jobs.js", "m.live.has('" + id + "')").asBoolean())
                .isFalse();
    }

    @Test
    void aCancelThatIsRefusedIsSaid() throws Exception {
        String id = service.start("{\"command\":\"exec sleep 600\",\"limits\":{\"timeout\":\"600s\"}}");
        page.signIn(service.reader);
        before = page.complaints();
        page.eventually(row("running", id) + " !== undefined");
        page.evaluate(row("running", id) + ".querySelector('button').click()");
        page.eventually(text("notice") + ".includes('needs the role submit')");
        page.shoot("refused-1280-light.png", 1280, false);
        assertThat(complaints()).hasSize(1).first().asString().contains("403", "/v1/jobs/" + id);
        assertThat(service.send(service.alice, "DELETE", "/v1/jobs/" + id, null).statusCode())
                .isEqualTo(202);
    }

    @Test
    void aServiceThatStartsNoJobsSaysSoOnTop() throws Exception {
        service.run("{\"argv\":[\"true\"]}");
        assertThat(page.evaluate("document.getElementById('banner').hidden").asBoolean())
                .isTrue();
        Path head = directory.resolve("state/audit/audit.head");
        byte[] good = Files.readAllBytes(head);
        try {
            Files.write(head, new byte[good.length], StandardOpenOption.WRITE);
            assertThat(service.post(service.admin, "/v1/admin/tokens", "{\"owner\":\"mallory\"}")
                            .statusCode())
                    .isEqualTo(503);
            page.eventually("!document.getElementById('banner').hidden");
            assertThat(page.evaluate(text("banner")).asString()).contains("not ready");
            page.shoot("banner-1280-light.png", 1280, false);
        } finally {
            Files.write(head, good, StandardOpenOption.WRITE);
        }
        page.eventually("document.getElementById('banner').hidden");
        assertThat(complaints()).allSatisfy(line -> assertThat(line).contains("503", "/readyz"));
    }

    @Test
    void sandboxesAreListedAndEndWithTwoPresses() throws Exception {
        String id = JsonTree.read(service.post(service.alice, "/v1/sandboxes", "{\"ttl\":\"50m\"}")
                        .body())
                .path("id")
                .asString();
        page.eventually(row("sandboxes", id) + "?.textContent.includes('min')");
        page.shoot("sandbox-400-light.png", 400, false);
        page.evaluate(row("sandboxes", id) + ".querySelector('button').click()");
        assertThat(service.get(service.alice, "/v1/sandboxes/" + id).statusCode())
                .isEqualTo(200);
        page.evaluate(row("sandboxes", id) + ".querySelector('button').click()");
        page.eventually(row("sandboxes", id) + " === undefined");
        assertThat(complaints()).isEmpty();
    }

    @Test
    void whatJobsWriteIsText() throws Exception {
        String title = page.evaluate("document.title").asString();
        String id = service.run("{\"argv\":[\"printf\",\"%b\",\"" + HOSTILE
                        + "\\\\n\\\\033[31mred\\\\033[0m\\\\033]0;name\\\\a\\u202edlrow\\u2066\\\\n\"],"
                        + "\"labels\":{\"note\":\"" + HOSTILE + "\\u202e\"}}")
                .path("id")
                .asString();
        page.eventually(row("finished", id) + " !== undefined");
        page.openJob(id);
        page.eventually(text("output") + ".includes('red')");
        assertThat(page.evaluate(text("output")).asString()).isEqualTo(HOSTILE + "\nreddlrow\n");
        assertThat(page.evaluate("document.querySelectorAll('#output :not(span)').length")
                        .asInt())
                .isZero();
        assertThat(page.evaluate(text("facts")).asString()).contains(HOSTILE).doesNotContain("\u202e");
        assertThat(page.evaluate("document.querySelectorAll('img').length").asInt())
                .isZero();
        assertThat(page.evaluate("document.title").asString()).isEqualTo(title);
        page.shoot("hostile-1280-dark.png", 1280, true);
        assertThat(complaints()).isEmpty();
    }

    @Test
    void theDocumentationOpens() throws Exception {
        page.open(service.uri("/docs"));
        page.eventually("document.querySelectorAll('.opblock').length > 20");
        page.shoot("docs.png", 1280, false);
        assertThat(complaints()).isEmpty();
    }
}
