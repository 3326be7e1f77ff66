package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages in a real browser, with jobs that run. Screenshots go to build/dashboard. */
@Tag("jail")
class DashboardJailTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String HOSTILE =
            "<script>document.title='owned'</script><img src=x onerror=document.title='owned'>";

    @TempDir
    static Path directory;

    static TestService service;
    static Browser browser;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "needs Chromium; apt-get install chromium");
        service = new TestService(directory);
        browser = new Browser();
    }

    @AfterAll
    static void stop() throws Exception {
        if (browser != null) {
            browser.close();
        }
        if (service != null) {
            service.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        browser.open(service.uri("/"));
        if (browser.evaluate("!document.getElementById('login').hidden").asBoolean()) {
            browser.evaluate("document.getElementById('token').value = '" + service.admin + "'");
            browser.evaluate("document.getElementById('login').requestSubmit()");
        }
        eventually("document.getElementById('link').textContent === 'live'");
    }

    private static void eventually(String expression) {
        await().atMost(PATIENCE).until(() -> browser.evaluate(expression).asBoolean(false));
    }

    private static void shoot(String name) throws Exception {
        Path pictures = Path.of(System.getProperty("cordon.root"), "control-plane/server/build/dashboard");
        try {
            Files.createDirectories(pictures);
            browser.screenshot(pictures.resolve(name));
        } catch (IOException notOurs) {
            browser.screenshot(directory.resolve(name)); // another user's clone
        }
    }

    private static String row(String id) {
        return "[...document.querySelectorAll('#jobs tr')].find(tr => tr.textContent.includes('" + id + "'))";
    }

    @Test
    void jobsAppearAsTheyRunAndCanBeCancelled() throws Exception {
        String id = service.start("{\"command\":\"for i in 1 2 3 4 5; do echo line $i; done; exec sleep 600\","
                + "\"labels\":{\"agent\":\"a1\"},\"limits\":{\"timeout_ms\":600000}}");
        service.run("{\"language\":\"python\",\"code\":\"print(6*7)\"}");
        service.run("{\"command\":\"exit 3\"}");
        service.run("{\"command\":\"exec sleep 60\",\"limits\":{\"timeout_ms\":200}}");
        eventually(row(id) + "?.textContent.includes('running')");
        browser.evaluate(row(id) + ".click()");
        eventually("document.getElementById('output').textContent.includes('line 5')");
        eventually("document.querySelectorAll('#jobs tr').length >= 4");
        eventually("document.getElementById('doctor-summary').textContent.includes('passed')");
        shoot("live.png");
        browser.evaluate(row(id) + ".querySelector('button').click()");
        eventually(row(id) + "?.textContent.includes('canceled')");
        shoot("canceled.png");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void whatJobsWriteIsText() throws Exception {
        String title = browser.evaluate("document.title").asString();
        String id = service.run("{\"argv\":[\"printf\",\"%b\",\"" + HOSTILE + "\\\\n\\\\033[31mred\\\\033[0m\\\\n\"],"
                        + "\"labels\":{\"note\":\"" + HOSTILE.replace('"', '\'') + "\"}}")
                .path("id")
                .asString();
        eventually(row(id) + " !== undefined");
        browser.evaluate(row(id) + ".click()");
        eventually("document.getElementById('output').textContent.includes('red')");
        assertThat(browser.evaluate("document.getElementById('output').textContent")
                        .asString())
                .isEqualTo(HOSTILE + "\nred\n");
        assertThat(browser.evaluate("document.getElementById('output').children.length")
                        .asInt())
                .isZero();
        assertThat(browser.evaluate("document.querySelectorAll('img').length").asInt())
                .isZero();
        assertThat(browser.evaluate("document.title").asString()).isEqualTo(title);
        shoot("hostile.png");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void theDocumentationOpens() throws Exception {
        browser.open(service.uri("/docs"));
        eventually("document.querySelectorAll('.opblock').length > 20");
        shoot("docs.png");
        assertThat(browser.complaints()).isEmpty();
    }
}
