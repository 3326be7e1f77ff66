package dev.cordon.cli.command.host;

import dev.cordon.Cordon;
import dev.cordon.bench.BenchEffort;
import dev.cordon.bench.BenchFailed;
import dev.cordon.bench.BenchReport;
import dev.cordon.bench.BenchReportJson;
import dev.cordon.bench.GrowthStep;
import dev.cordon.bench.SandboxGrowth;
import dev.cordon.bench.SpeedBenchmark;
import dev.cordon.cli.parse.ColourChoice;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.config.Config;
import dev.cordon.config.PoolSettings;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** {@code cordon bench}: what Cordon promises of its speed, measured on this host. */
public final class BenchCommand {
    private static final CommandOption QUICK =
            CommandOption.flag("--quick", "A few samples only: shows that it works; the figures mean little.");

    private static final CommandOption GROWTH = CommandOption.flag(
            "--growth", "Measure beside 1, 10, 100 and 1,000 idle sandboxes instead (--quick: 1 and 10).");

    private static final CommandOption VM = CommandOption.flag(
            "--vm", "Measure virtual machines instead: booted, restored from a template, waiting (--quick: 3 rounds).");

    private BenchCommand() {}

    public static CommandSpec spec() {
        List<CommandOption> options =
                List.of(GROWTH, VM, QUICK, CommandOption.CONFIG, CommandOption.JSON, CommandOption.COLOR);
        return new CommandSpec("bench", "", BenchCommand::run, options, """
            Measure Cordon on this host, beside ProcessBuilder, bwrap and runc.

            Everybody runs in turns, so that other work on the machine falls on all alike; the load is part
            of the report. Nothing has to be set up, and what the host lacks is named. Takes about two
            minutes. Ends with 0 also where a bar is missed.\
            """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        ColourChoice colour = ColourChoice.of(arguments, stdio.outIsTerminal(), stdio);
        try {
            String told = measured(arguments, colour, stdio);
            stdio.overwrite("");
            stdio.print(told);
            return 0;
        } catch (BenchFailed e) {
            stdio.overwrite("");
            throw new CommandFailure(CommandFailure.FAILED, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the benchmark was stopped: " + e.getMessage(), e);
        }
    }

    /** The report, for people or as JSON. */
    private static String measured(ParsedArguments arguments, ColourChoice colour, StandardStreams stdio)
            throws Exception {
        Config config = CordonOpening.config(arguments);
        boolean json = arguments.has(CommandOption.JSON);
        boolean quick = arguments.has(QUICK);
        if (arguments.has(GROWTH)) {
            List<Integer> counts = quick ? List.of(1, 10) : List.of(1, 10, 100, 1000);
            List<GrowthStep> steps = new SandboxGrowth(
                            config.withPool(PoolSettings.NONE), counts, step -> stdio.overwrite(step + " ..."))
                    .run();
            return json ? BenchReportJson.of(steps) + "\n" : BenchTable.of(steps);
        }
        Consumer<String> progress = step -> stdio.overwrite("measuring: " + step + " ...");
        if (arguments.has(VM)) {
            MachineBench.Figures figures = new MachineBench(config, quick ? 3 : 10, progress).run();
            return json ? figures.json() : figures.table(colour);
        }
        BenchEffort effort = quick ? BenchEffort.quick() : BenchEffort.full();
        try (Cordon cordon = Cordon.open(config.withPool(PoolSettings.NONE));
                Cordon pooled = Cordon.open(config.withPool(SpeedBenchmark.POOL));
                Cordon ahead = Cordon.open(config.withPool(SpeedBenchmark.SUPERVISORS))) {
            BenchReport report = new SpeedBenchmark(cordon, pooled, ahead, effort, stdio.environment(), progress).run();
            return json ? BenchReportJson.of(report) + "\n" : BenchTable.of(report, colour);
        }
    }
}
