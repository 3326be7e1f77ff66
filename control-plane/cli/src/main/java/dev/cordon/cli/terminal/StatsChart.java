package dev.cordon.cli.terminal;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.UsageSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Draws what a job took over time: memory and CPU, as columns of eighths.
 *
 * @param samples in their order
 * @param columns at most
 */
public record StatsChart(List<UsageSample> samples, int columns) {
    private static final String EIGHTHS = " ▁▂▃▄▅▆▇█";
    private static final int ROWS = 4;

    public List<String> lines() {
        if (samples.size() < 2) {
            return List.of("no statistics: the job was over before the first two samples");
        }
        List<String> lines = new ArrayList<>();
        panel(lines, "memory", memory(), value -> ByteSize.bytes((long) value).toString());
        panel(lines, "CPU", cpu(), value -> String.format(Locale.ROOT, "%.0f %%", value * 100));
        return lines;
    }

    private void panel(List<String> lines, String name, double[] values, DoubleFunction<String> format) {
        double most = Arrays.stream(values).max().orElse(0);
        if (most <= 0) {
            lines.add(name + ": not counted on this host, or nothing used");
            return;
        }
        lines.add(name + ", at most " + format.apply(most));
        for (int row = ROWS - 1; row >= 0; row--) {
            StringBuilder line = new StringBuilder("│");
            for (double value : values) {
                long eighths = Math.round(value / most * ROWS * 8) - row * 8L;
                line.append(EIGHTHS.charAt(Math.clamp(eighths, 0, 8)));
            }
            lines.add(line.toString());
        }
        lines.add("└" + "─".repeat(values.length) + " "
                + seconds(samples.getLast().at()));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }

    /** The most in each column's span of time; a span without a sample continues the one before. */
    private double[] memory() {
        double[] values = new double[width()];
        for (UsageSample sample : samples) {
            ByteSize memory = sample.memory();
            int column = column(sample);
            values[column] = Math.max(values[column], memory == null ? 0 : (double) memory.bytes());
        }
        for (int i = 1; i < values.length; i++) {
            values[i] = values[i] == 0 ? values[i - 1] : values[i];
        }
        return values;
    }

    /** CPUs' worth of time between two samples, spread over the columns between them. */
    private double[] cpu() {
        double[] values = new double[width()];
        for (int i = 1; i < samples.size(); i++) {
            UsageSample before = samples.get(i - 1);
            UsageSample after = samples.get(i);
            Duration used = after.cpu();
            Duration had = before.cpu();
            Duration passed = after.at().minus(before.at());
            if (used == null || had == null || !passed.isPositive()) {
                continue;
            }
            double share = (double) used.minus(had).toNanos() / passed.toNanos();
            for (int column = column(before); column <= column(after); column++) {
                values[column] = Math.max(values[column], share);
            }
        }
        return values;
    }

    private int width() {
        return Math.min(columns, samples.size());
    }

    private int column(UsageSample sample) {
        long whole = Math.max(1, samples.getLast().at().toNanos());
        return (int) Math.min(width() - 1, sample.at().toNanos() * width() / whole);
    }
}
