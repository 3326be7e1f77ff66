package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.api.Isolation;
import dev.cordon.api.Job;
import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import dev.cordon.bench.BenchFailed;
import dev.cordon.config.Config;
import dev.cordon.config.PoolSettings;
import java.util.Arrays;
import java.util.function.Consumer;

/** What a virtual machine costs from the request to the answer of /bin/true: booted, restored from its template, and waiting. */
final class MachineBench {
    private static final double BAR = 0.10;

    private final Config config;
    private final int rounds;
    private final Consumer<String> step;

    MachineBench(Config config, int rounds, Consumer<String> step) {
        this.config = config.withPool(PoolSettings.NONE);
        this.rounds = rounds;
        this.step = step;
    }

    /**
     * Medians in seconds.
     *
     * @param booted   from its kernel on
     * @param restored from its template
     * @param waiting  restored ahead
     */
    record Figures(double booted, double restored, double waiting) {
        private double ratio() {
            return restored / booted;
        }

        String table(Colour colour) {
            return """
                virtual machine, first command answered   median
                cold boot                              %8.3f s
                restored from its template             %8.3f s   %.3f of cold, bar %.2f  %s
                one that waits (vm.pool = 1)           %8.3f s
                """.formatted(booted, restored, ratio(), BAR, colour.met(true, ratio() <= BAR), waiting);
        }

        String json() {
            return "{\"cold_boot_seconds\":%.4f,\"restored_seconds\":%.4f,\"waiting_seconds\":%.4f,\"ratio\":%.4f,\"bar\":%.2f}\n"
                    .formatted(booted, restored, waiting, ratio(), BAR);
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
        try (Cordon cordon = Cordon.open(config.withVm(config.vm().with(restored, waiting)))) {
            once(cordon);
            for (int i = 0; i < rounds; i++) {
                step.accept(what + ", " + (i + 1) + " of " + rounds);
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
