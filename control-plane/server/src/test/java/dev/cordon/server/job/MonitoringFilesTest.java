package dev.cordon.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.job.JobId;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard and the alerts that are packaged ask for nothing that the service does not tell. */
class MonitoringFilesTest {
    private static final Pattern METRIC = Pattern.compile("\\b(cordon|process)_[a-z_]+");
    /** Told when a job has ended after it had begun. */
    private static final Set<String> LATER = Set.of("cordon_sandbox_start_seconds_bucket");

    private final Path files = Path.of(System.getProperty("cordon.root"), "packaging/dashboards");
    private final JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 1, 1, 1 << 30));
    private String told = "";

    @BeforeEach
    void tell() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        JobMetrics metrics = new JobMetrics(registry);
        metrics.watch(() -> true);
        metrics.watch(queue);
        Instant now = Instant.now();
        metrics.waited(Duration.ofMillis(1));
        metrics.ended("canceled", "none", 1);
        metrics.finished(Result.notStarted(new JobId("job_1"), new Outcome.Cancelled(), List.of(), now, now), false);
        try (Cordon cordon = Cordon.open(Config.load());
                SandboxDesk desk = new SandboxDesk(
                        cordon, new SandboxDesk.Bounds(1, 1, Duration.ofHours(1), Duration.ofHours(1)))) {
            metrics.watch(cordon, "1");
            metrics.watch(desk);
            System.gc(); // a gauge whose value nobody else holds would be gone
            told = registry.scrape();
        }
    }

    @Test
    void theDashboardsQueriesNameWhatIsTold() throws Exception {
        JsonNode dashboard = new JsonMapper().readTree(Files.readString(files.resolve("cordon.json")));
        List<String> queries = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            assertThat(panel.path("title").asString()).isNotEmpty();
            assertThat(panel.path("gridPos").path("x").asInt()
                            + panel.path("gridPos").path("w").asInt())
                    .isLessThanOrEqualTo(24);
            panel.path("targets")
                    .forEach(target -> queries.add(target.path("expr").asString()));
        }
        assertThat(queries).hasSizeGreaterThan(12);
        assertKnown(String.join("\n", queries));
        assertThat(dashboard.path("panels").findValuesAsString("id")).doesNotHaveDuplicates();
    }

    @Test
    void everyGaugeHasAValue() {
        assertThat(told).contains("cordon_ready 1.0").doesNotContain(" NaN");
    }

    @Test
    void theAlertsNameWhatIsToldAndARemedy() throws Exception {
        String rules = Files.readString(files.resolve("cordon-alerts.yaml"));
        assertKnown(rules);
        long alerts = rules.lines().filter(line -> line.contains("- alert: ")).count();
        assertThat(rules.lines().filter(line -> line.contains(" remedy: "))).hasSize((int) alerts);
        assertThat(rules.lines().filter(line -> line.contains(" expr: "))).hasSize((int) alerts);
    }

    private void assertKnown(String text) {
        Set<String> known = new TreeSet<>(LATER);
        told.lines().filter(line -> !line.startsWith("#")).forEach(line -> known.add(line.replaceFirst("[{ ].*", "")));
        assertThat(METRIC.matcher(text).results().map(found -> found.group()).distinct())
                .isNotEmpty()
                .isSubsetOf(known);
    }
}
