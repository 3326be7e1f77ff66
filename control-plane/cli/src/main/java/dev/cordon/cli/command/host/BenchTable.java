package dev.cordon.cli.command.host;

import dev.cordon.bench.BenchReport;
import dev.cordon.bench.BenchRow;
import dev.cordon.bench.GrowthStep;
import dev.cordon.bench.MeasuredHost;
import dev.cordon.bench.PromisedBar;
import dev.cordon.bench.StartTimings;
import dev.cordon.cli.parse.ColourChoice;
import dev.cordon.cli.terminal.TerminalText;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Draws the report of the benchmark for a reader: the promises as a table, the starts as bars. */
final class BenchTable {
    private static final String EIGHTHS = "▏▎▍▌▋▊▉█";
    private static final int WIDTH = 30;

    private BenchTable() {}

    static String of(BenchReport report, ColourChoice colour) {
        StringBuilder text = new StringBuilder();
        report.rows().forEach(row -> append(text, row, colour));
        int parallel = 0;
        for (StartTimings start : report.starts()) {
            if (start.parallel() != parallel) {
                parallel = start.parallel();
                text.append("\n/bin/true, " + parallel + " at once: median, p95, p99 in ms; jobs per second\n");
            }
            append(text, start, longest(report.starts(), parallel));
        }
        text.append('\n');
        report.missing().forEach(line -> text.append("not compared: " + TerminalText.visible(line) + "\n"));
        return text.append(footer(report)).toString();
    }

    /** The growth, a line for each number of sandboxes. */
    static String of(List<GrowthStep> steps) {
        StringBuilder text =
                new StringBuilder("   idle    open one   processes  whole host  cold start     command    sweep+job\n");
        for (GrowthStep step : steps) {
            text.append(String.format(
                    Locale.ROOT,
                    "%7d %8.1f ms %11s %7.0f KiB %8.1f ms %8.1f ms %9.1f ms%n",
                    step.sandboxes(),
                    step.openMillis(),
                    shown(step.processKib(), "%.0f KiB"),
                    step.hostKib(),
                    step.startMillis(),
                    step.commandMillis(),
                    step.sweepMillis()));
        }
        return text.append("memory is for each sandbox; every one of them answered a command in the end\n")
                .toString();
    }

    private static void append(StringBuilder text, BenchRow row, ColourChoice colour) {
        String bar = (row.bar().sense() == PromisedBar.Sense.AT_MOST ? "<= " : ">= ")
                + plain(row.bar().value());
        String ratio = shown(row.ratio(), "%.3f");
        String compared = row.bar().ratio()
                ? "  %5s x %s %s, bar %s".formatted(ratio, row.baselineName(), number(row.baseline(), row.unit()), bar)
                : "  bar " + bar + " " + row.unit();
        text.append(colour.met(row.measured(), row.met()))
                .append("  %-19s %10s".formatted(row.name(), number(row.value(), row.unit())) + compared)
                .append("\n        " + TerminalText.visible(row.note()) + "\n");
    }

    private static void append(StringBuilder text, StartTimings start, double longest) {
        double median = start.latency().median();
        text.append(String.format(
                Locale.ROOT,
                "  %-25s %s %8.2f %8.2f %8.2f %8.0f/s%n",
                start.contender(),
                bar(median / longest),
                median,
                start.latency().quantile(0.95),
                start.latency().quantile(0.99),
                start.jobsPerSecond()));
    }

    /** As many eighths of a column as the share has, padded to the full width. */
    static String bar(double share) {
        long eighths = Math.clamp(Math.round(share * WIDTH * 8), 1, WIDTH * 8L);
        int whole = (int) (eighths / 8);
        int rest = (int) (eighths % 8);
        String drawn = "█".repeat(whole) + (rest == 0 ? "" : EIGHTHS.charAt(rest - 1));
        return drawn + " ".repeat(WIDTH - drawn.length());
    }

    private static double longest(List<StartTimings> starts, int parallel) {
        return starts.stream()
                .filter(start -> start.parallel() == parallel)
                .mapToDouble(start -> start.latency().median())
                .max()
                .orElse(1);
    }

    private static String footer(BenchReport report) {
        MeasuredHost machine = report.machine();
        long met = report.rows().stream().filter(BenchRow::met).count();
        return String.format(
                Locale.ROOT,
                "%d of %d bars met; %d CPUs, load %.2f before and %.2f at the end, kernel %s, Java %s, %.0f s%n",
                met,
                report.rows().size(),
                machine.cpus(),
                machine.loadBefore(),
                machine.loadAfter(),
                machine.kernel(),
                machine.java(),
                machine.seconds());
    }

    private static String number(OptionalDouble value, String unit) {
        return value.isPresent() ? shown(value, "%.2f") + " " + unit : "?";
    }

    private static String shown(OptionalDouble value, String format) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "?";
    }

    private static String plain(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
    }
}
