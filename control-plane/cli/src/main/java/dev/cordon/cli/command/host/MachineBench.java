package dev.cordon.cli.command.host;

import dev.cordon.Cordon;
import dev.cordon.bench.BenchFailed;
import dev.cordon.bench.BenchReportJson;
import dev.cordon.bench.BenchRow;
import dev.cordon.bench.PromisedBar;
import dev.cordon.cli.parse.ColourChoice;
import dev.cordon.config.Config;
import dev.cordon.config.PoolSettings;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What a virtual machine costs from the request to the answer of /bin/true: booted, restored from its template, and waiting.
 *
 * @param config the settings, whose pool is left out
 * @param rounds how often each is measured
 * @param step   told what is measured now
 */
record MachineBench(Config config, int rounds, Consumer<String> step) {
    private static final PromisedBar BAR = new PromisedBar(0.10, PromisedBar.Sense.AT_MOST, true);
    private static final String COLD = "virtual machine booted from its kernel on";

    /** After this the machine that takes the place of one that was handed out is up, and nothing else runs. */
    private static final Duration REFILL = Duration.ofSeconds(4);

    /**
     * Medians in seconds.
     *
     * @param booted   from its kernel on
     * @param restored from its template
     * @param waiting  restored ahead
     */
    record Figures(double booted, double restored, double waiting) {
        private List<BenchRow> rows() {
            return List.of(
                    row(
                            "virtual machine from its template, first command answered",
                            restored,
                            "restored from a template"),
                    row(
                            "virtual machine that waits, first command answered",
                            waiting,
                            "vm.pool = 1, and filled again"));
        }

        private BenchRow row(String name, double seconds, String note) {
            return new BenchRow(name, "s", OptionalDouble.of(seconds), COLD, OptionalDouble.of(booted), BAR, note);
        }

        String table(ColourChoice colour) {
            StringBuilder table = new StringBuilder("%-58s %8s   of cold%n".formatted("medians", "seconds"));
            table.append("%-58s %8.3f%n".formatted(COLD, booted));
            for (BenchRow row : rows()) {
                double ratio = row.ratio().orElse(0);
                table.append("%-58s %8.3f   %.3f, bar %.2f  %s%n"
                        .formatted(
                                row.name(),
                                row.value().orElse(0),
                                ratio,
                                row.bar().value(),
                                colour.met(row.measured(), row.met())));
            }
            return table.toString();
        }

        String json() {
            SequencedMap<String, Double> seconds = new LinkedHashMap<>();
            seconds.put("cold_boot_seconds", booted);
            seconds.put("restored_seconds", restored);
            seconds.put("waiting_seconds", waiting);
            return BenchReportJson.of(rows(), seconds) + "\n";
        }
    }

    Figures run() throws BenchFailed {
        return new Figures(
                median("a machine that boots", false, 0),
                median("a machine from its template", true, 0),
                median("a machine that waits", true, 1));
    }

    private double median(String what, boolean restored, int waiting) throws BenchFailed {
        double[] taken = new double[rounds];
        Config machines = config.withPool(PoolSettings.NONE).withVm(config.vm().with(restored, waiting));
        try (Cordon cordon = Cordon.open(machines)) {
            once(cordon);
            for (int i = 0; i < rounds; i++) {
                step.accept(what + ", " + (i + 1) + " of " + rounds);
                if (waiting > 0) {
                    LockSupport.parkNanos(REFILL.toNanos());
                }
                taken[i] = once(cordon);
            }
        }
        Arrays.sort(taken);
        return taken[rounds / 2];
    }

    private static double once(Cordon cordon) throws BenchFailed {
        long begin = System.nanoTime();
        Result result = cordon.run(Job.argv("/bin/true").isolation(Isolation.VM));
        double taken = (System.nanoTime() - begin) / 1e9;
        if (!(result.outcome() instanceof Outcome.Exited exited) || exited.code() != 0) {
            throw new BenchFailed("/bin/true in a machine: " + result.outcome());
        }
        return taken;
    }
}
