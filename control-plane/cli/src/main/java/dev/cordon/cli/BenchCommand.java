package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.bench.BenchFailed;
import dev.cordon.bench.Benchmark;
import dev.cordon.bench.Effort;
import dev.cordon.bench.Growth;
import dev.cordon.bench.GrowthStep;
import dev.cordon.bench.Report;
import dev.cordon.bench.ReportJson;
import dev.cordon.config.Config;
import dev.cordon.config.PoolSettings;
import java.io.IOException;
import java.util.List;

/** {@code cordon bench}: what Cordon promises of its speed, measured on this host. */
final class BenchCommand {
    /** Cordon itself failed, as with every command. */
    private static final int FAILED = 125;

    private static final Option QUICK =
            Option.flag("--quick", "A few samples only: shows that it works; the figures mean little.");

    private static final Option GROWTH =
            Option.flag("--growth", "Measure beside 1, 10, 100 and 1,000 idle sandboxes instead (--quick: 1 and 10).");

    private static final Option VM = Option.flag(
            "--vm", "Measure virtual machines instead: booted, restored from a template, waiting (--quick: 3 rounds).");

    private BenchCommand() {}

    static CommandSpec spec() {
        List<Option> options = List.of(GROWTH, VM, QUICK, Option.CONFIG, Option.JSON, Option.COLOR);
        return new CommandSpec("bench", "", BenchCommand::run, options, """
            Measure Cordon on this host, beside ProcessBuilder, bwrap and runc.

            Everybody runs in turns, so that other work on the machine falls on all alike; the load is part
            of the report. Nothing has to be set up, and what the host lacks is named. Takes about two
            minutes. Ends with 0 also where a bar is missed.\
            """);
    }

    private static int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        Colour colour = Colour.of(arguments, stdio.outIsTerminal(), stdio);
        Effort effort = arguments.has(QUICK) ? Effort.quick() : Effort.full();
        try {
            if (arguments.has(GROWTH)) {
                List<GrowthStep> steps = growth(arguments, stdio);
                stdio.overwrite("");
                stdio.print(arguments.has(Option.JSON) ? ReportJson.of(steps) + "\n" : BenchTable.of(steps));
                return 0;
            }
            if (arguments.has(VM)) {
                MachineBench.Figures figures = new MachineBench(
                                Opening.config(arguments),
                                arguments.has(QUICK) ? 3 : 10,
                                step -> stdio.overwrite("measuring: " + step + " ..."))
                        .run();
                stdio.overwrite("");
                stdio.print(arguments.has(Option.JSON) ? figures.json() : figures.table(colour));
                return 0;
            }
            Report report = report(arguments, effort, stdio);
            stdio.overwrite("");
            stdio.print(arguments.has(Option.JSON) ? ReportJson.of(report) + "\n" : BenchTable.of(report, colour));
            return 0;
        } catch (BenchFailed e) {
            stdio.overwrite("");
            stdio.message(String.valueOf(e.getMessage()));
            return FAILED;
        }
    }

    private static List<GrowthStep> growth(Arguments arguments, Stdio stdio) throws IOException {
        List<Integer> counts = arguments.has(QUICK) ? List.of(1, 10) : List.of(1, 10, 100, 1000);
        try {
            Config config = Opening.config(arguments).withPool(PoolSettings.NONE);
            return new Growth(config, counts, step -> stdio.overwrite(step + " ...")).run();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the benchmark was stopped: " + e.getMessage(), e);
        }
    }

    private static Report report(Arguments arguments, Effort effort, Stdio stdio) throws IOException {
        Config config = Opening.config(arguments);
        try (Cordon cordon = Cordon.open(config.withPool(PoolSettings.NONE));
                Cordon pooled = Cordon.open(config.withPool(Benchmark.POOL));
                Cordon ahead = Cordon.open(config.withPool(Benchmark.SUPERVISORS))) {
            return new Benchmark(
                            cordon,
                            pooled,
                            ahead,
                            effort,
                            stdio.environment(),
                            step -> stdio.overwrite("measuring: " + step + " ..."))
                    .run();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the benchmark was stopped: " + e.getMessage(), e);
        }
    }
}
