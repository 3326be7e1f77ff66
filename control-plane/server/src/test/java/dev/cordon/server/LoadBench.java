package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.fixture.UserNamespaces;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What HTTP adds to a job: wrk posts {@code /bin/true} over loopback with 1, 8 and 64 connections, and as many threads run it in this
 * process, one after the other. wrk, the service and the jobs share the processors.
 *
 * <p>{@code ./gradlew :control-plane:server:benchTest -Ptests='.*LoadBench'}
 */
@Tag("bench")
class LoadBench {
    private static final int SECONDS = Integer.getInteger("cordon.test.load.seconds", 10);
    private static final String JOB = "{\"argv\":[\"/bin/true\"]}";

    @TempDir
    Path directory;

    /** Milliseconds of one way to run jobs. */
    private record Figures(double perSecond, double median, double late) {
        String row(String name, int connections) {
            return "| %s | %d | %.0f | %.1f | %.1f |".formatted(name, connections, perSecond, median, late);
        }
    }

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/wrk")), "needs wrk; apt-get install wrk");
    }

    @Test
    void httpBesideInProcess() throws Exception {
        List<String> table = new ArrayList<>();
        table.add("| way | connections | jobs/s | p50 ms | p99 ms |");
        table.add("|---|---|---|---|---|");
        List<String> added = new ArrayList<>();
        try (TestService service =
                new TestService(directory, "max_running = 64", "max_running_per_owner = 64", "keep_jobs = 1000")) {
            Config config = Config.load(directory.resolve("config.toml"));
            try (Cordon cordon = Cordon.open(config)) {
                overHttp(service, 8);
                inProcess(cordon, 8);
                for (int connections : new int[] {1, 8, 64}) {
                    Figures http = overHttp(service, connections);
                    Figures own = inProcess(cordon, connections);
                    table.add(http.row("HTTP", connections));
                    table.add(own.row("in process", connections));
                    added.add("HTTP adds %.1f ms to a job with %d connections (p50)"
                            .formatted(http.median() - own.median(), connections));
                }
            }
        }
        table.forEach(System.out::println);
        added.forEach(System.out::println);
    }

    private Figures overHttp(TestService service, int connections) throws Exception {
        Path script = directory.resolve("job.lua");
        Files.writeString(
                script,
                "wrk.method = 'POST'\nwrk.body = '" + JOB + "'\n"
                        + "wrk.headers['Content-Type'] = 'application/json'\n"
                        + "wrk.headers['Authorization'] = 'Bearer " + service.alice + "'\n");
        Process wrk = new ProcessBuilder(
                        "wrk",
                        "--latency",
                        "--threads=1",
                        "--connections=" + connections,
                        "--duration=" + SECONDS + "s",
                        "--timeout=30s",
                        "--script=" + script,
                        service.uri("/v1/jobs").toString())
                .redirectErrorStream(true)
                .start();
        String text = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(wrk.waitFor()).as(text).isZero();
        assertThat(text).doesNotContain("Non-2xx").doesNotContain("Socket errors");
        return new Figures(
                Double.parseDouble(found(text, "Requests/sec: +([0-9.]+)").group(1)),
                latency(text, 50),
                latency(text, 99));
    }

    private static double latency(String text, int percent) {
        Matcher line = found(text, percent + "% +([0-9.]+)(us|ms|s|m)\\b");
        double number = Double.parseDouble(line.group(1));
        return switch (line.group(2)) {
            case "us" -> number / 1_000;
            case "s" -> number * 1_000;
            case "m" -> number * 60_000;
            default -> number;
        };
    }

    private static Matcher found(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
        return matcher;
    }

    private static Figures inProcess(Cordon cordon, int threads) throws Exception {
        long begin = System.nanoTime();
        long end = begin + SECONDS * 1_000_000_000L;
        List<Long> nanos = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<List<Long>>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                parts.add(executor.submit(() -> jobs(cordon, end)));
            }
            for (Future<List<Long>> part : parts) {
                nanos.addAll(part.get());
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        Collections.sort(nanos);
        return new Figures(nanos.size() / seconds, quantile(nanos, 0.5), quantile(nanos, 0.99));
    }

    private static List<Long> jobs(Cordon cordon, long end) throws InterruptedException {
        List<Long> nanos = new ArrayList<>();
        while (System.nanoTime() < end) {
            long begin = System.nanoTime();
            Outcome outcome = cordon.run(Job.argv("/bin/true")).outcome();
            nanos.add(System.nanoTime() - begin);
            assertThat(outcome).isEqualTo(new Outcome.Exited(0));
        }
        return nanos;
    }

    private static double quantile(List<Long> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size()))) / 1e6;
    }
}
