package dev.cordon.cli.command.host;

import dev.cordon.Cordon;
import dev.cordon.bench.BenchEffort;
import dev.cordon.bench.BenchFailed;
import dev.cordon.bench.BenchReport;
import dev.cordon.bench.BenchReportJson;
import dev.cordon.bench.Benchmark;
import dev.cordon.bench.GrowthStep;
import dev.cordon.bench.SandboxGrowth;
import dev.cordon.cli.parse.Arguments;
import dev.cordon.cli.parse.Colour;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.Option;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.Stdio;
import dev.cordon.config.Config;
import dev.cordon.config.PoolSettings;
import java.io.IOException;
import java.util.List;

/** {@code cordon bench}: what Cordon promises of its speed, measured on this host. */
public final class BenchCommand {
    /** Cordon itself failed, as with every command. */
    private static final int FAILED = 125;

    private static final Option QUICK =
            Option.flag("--quick", "A few samples only: shows that it works; the figures mean little.");

    private static final Option GROWTH =
            Option.flag("--growth", "Measure beside 1, 10, 100 and 1,000 idle sandboxes instead (--quick: 1 and 10).");

    private static final Option VM = Option.flag(
            "--vm", "Measure virtual machines instead: booted, restored from a template, waiting (--quick: 3 rounds).");

    private BenchCommand() {}

    public static CommandSpec spec() {
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
        BenchEffort effort = arguments.has(QUICK) ? BenchEffort.quick() : BenchEffort.full();
        try {
            if (arguments.has(GROWTH)) {
                List<GrowthStep> steps = growth(arguments, stdio);
                stdio.overwrite("");
                stdio.print(arguments.has(Option.JSON) ? BenchReportJson.of(steps) + "\n" : BenchTable.of(steps));
                return 0;
            }
            if (arguments.has(VM)) {
                MachineBench.Figures figures = new MachineBench(
                                CordonOpening.config(arguments),
                                arguments.has(QUICK) ? 3 : 10,
                                step -> stdio.overwrite("measuring: " + step + " ..."))
                        .run();
                stdio.overwrite("");
                stdio.print(arguments.has(Option.JSON) ? figures.json() : figures.table(colour));
                return 0;
            }
            BenchReport report = report(arguments, effort, stdio);
            stdio.overwrite("");
            stdio.print(arguments.has(Option.JSON) ? BenchReportJson.of(report) + "\n" : BenchTable.of(report, colour));
            return 0;
        } catch (BenchFailed e) {
            stdio.overwrite("");
            stdio.message(String.valueOf(e.getMessage()));
            return FAILED;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the benchmark was stopped: " + e.getMessage(), e);
        }
    }

    private static List<GrowthStep> growth(Arguments arguments, Stdio stdio) throws Exception {
        List<Integer> counts = arguments.has(QUICK) ? List.of(1, 10) : List.of(1, 10, 100, 1000);
        Config config = CordonOpening.config(arguments).withPool(PoolSettings.NONE);
        return new SandboxGrowth(config, counts, step -> stdio.overwrite(step + " ...")).run();
    }

    private static BenchReport report(Arguments arguments, BenchEffort effort, Stdio stdio) throws Exception {
        Config config = CordonOpening.config(arguments);
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
        }
    }
}
