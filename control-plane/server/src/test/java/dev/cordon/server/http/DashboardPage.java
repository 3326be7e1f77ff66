package dev.cordon.server.http;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The dashboard in a browser: what its tests do with it. Its modules are asked for their own state. */
final class DashboardPage implements AutoCloseable {
    private static final URI NOWHERE = URI.create("about:blank");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Browser browser = new Browser();
    private final URI address;
    private final Path elsewhere;

    /** With a directory for pictures that the clone has no room for. */
    DashboardPage(URI address, Path elsewhere) throws Exception {
        this.address = address;
        this.elsewhere = elsewhere;
    }

    /** Opens it anew with that token and waits until it is live. */
    void signIn(String token) throws Exception {
        open(address);
        browser.evaluate("sessionStorage.clear()");
        open(NOWHERE); // a change of the fragment alone would not load it anew
        open(address);
        eventually("!document.getElementById('login').hidden");
        browser.evaluate("document.getElementById('token').value = '" + token + "'");
        browser.evaluate("document.getElementById('login').requestSubmit()");
        eventually(text("link") + " === 'live'");
    }

    void open(URI uri) throws Exception {
        browser.open(uri);
    }

    void eventually(String expression) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> org.assertj.core.api.Assertions.assertThat(
                                browser.evaluate(expression).asBoolean(false))
                        .as(expression)
                        .isTrue());
    }

    JsonNode evaluate(String expression) throws Exception {
        return browser.evaluate(expression);
    }

    /** What an expression says of a module of the page, which is called m in it. */
    JsonNode inModule(String module, String expression) throws Exception {
        return browser.evaluate("import(location.origin + '/assets/" + module + "').then(m => " + expression + ")");
    }

    static String text(String id) {
        return "document.getElementById('" + id + "').textContent";
    }

    /** The row of a job in one of the tables. */
    static String row(String body, String id) {
        return "[...document.querySelectorAll('#" + body + " tr')].find(tr => tr.textContent.includes('" + id + "'))";
    }

    /** The page of one job. */
    void openJob(String id) throws Exception {
        browser.evaluate("location.hash = '#job-" + id + "'");
        eventually(text("detail-title") + " === '" + id + "'");
    }

    List<String> complaints() {
        return browser.complaints();
    }

    /** The whole page as it is drawn on a screen of that width. */
    void shoot(String name, int width, boolean dark) throws Exception {
        browser.call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        size(width, 900);
        int height = browser.evaluate("document.documentElement.scrollHeight").asInt();
        size(width, Math.min(5000, Math.max(400, height)));
        await().atMost(PATIENCE)
                .until(() -> inModule(
                                "plots.js",
                                "(document.getElementById('outcomes')?.offsetParent ?? null) === null"
                                        + " || m.dataOf('outcomes') != null")
                        .asBoolean(false));
        browser.evaluate(
                "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(()"
                        + " => done(1)))))");
        Path pictures = Path.of(System.getProperty("cordon.root"), "control-plane/server/build/dashboard");
        try {
            Files.createDirectories(pictures);
            browser.screenshot(pictures.resolve(name));
        } catch (IOException notOurs) {
            browser.screenshot(elsewhere.resolve(name)); // another user's clone
        }
    }

    private void size(int width, int height) throws Exception {
        browser.call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    @Override
    public void close() {
        browser.close();
    }
}
