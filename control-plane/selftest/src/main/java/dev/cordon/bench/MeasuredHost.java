package dev.cordon.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What was measured on. A loaded machine makes every number worse and the ratios uncertain, so the load is part of the report.
 *
 * @param cpus       that this JVM may use
 * @param kernel     release of the kernel
 * @param java       version of the JVM
 * @param loadBefore runnable processes over the minute before
 * @param loadAfter  and over the last minute of the run, with the benchmark's own
 * @param seconds    how long the run took
 */
public record MeasuredHost(int cpus, String kernel, String java, double loadBefore, double loadAfter, double seconds) {
    static double load() {
        try {
            String text = Files.readString(Path.of("/proc/loadavg"));
            return Double.parseDouble(text.substring(0, text.indexOf(' ')));
        } catch (IOException | RuntimeException unreadable) {
            return Double.NaN;
        }
    }

    static MeasuredHost since(long begin, double loadBefore) {
        return new MeasuredHost(
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.version", "unknown"),
                Runtime.version().toString(),
                loadBefore,
                load(),
                (System.nanoTime() - begin) / 1e9);
    }
}
