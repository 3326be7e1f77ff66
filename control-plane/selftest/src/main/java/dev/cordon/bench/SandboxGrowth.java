package dev.cordon.bench;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.config.Config;
import dev.cordon.config.MemorySettings;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** How Cordon does with ever more sandboxes that are open and idle. Every one of them answers a command in the end. */
public final class SandboxGrowth {
    private static final int SAMPLES = 11;
    private static final Job TRUE = Job.argv(RivalPrograms.TRUE);

    private final Config config;
    private final List<Integer> counts;
    private final Consumer<String> progress;
    private final List<Sandbox> sandboxes = new ArrayList<>();

    /**
     * A measurement.
     *
     * @param counts   numbers of sandboxes, ascending
     * @param progress hears what is being done
     */
    public SandboxGrowth(Config config, List<Integer> counts, Consumer<String> progress) {
        // Sandboxes that do nothing take a hundredth of what their limits promise; this is about what they take.
        this.config = config.withMemory(new MemorySettings(
                null, MemorySettings.MOST_OVERCOMMIT, 1, config.memory().patience()));
        this.counts = List.copyOf(counts);
        this.progress = progress;
    }

    /**
     * Opens, measures and closes them.
     *
     * @throws BenchFailed when a sandbox cannot be opened or does not answer
     */
    public List<GrowthStep> run() throws Exception {
        List<GrowthStep> steps = new ArrayList<>();
        try (Cordon cordon = Cordon.open(config)) {
            median(() -> BenchFailed.unlessSucceeded(cordon.run(TRUE)));
            double freeBefore = freeKib();
            try {
                for (int count : counts) {
                    steps.add(step(cordon, count, freeBefore));
                }
                progress.accept("a command in each of them");
                for (Sandbox sandbox : sandboxes) {
                    BenchFailed.unlessSucceeded(sandbox.run(TRUE));
                }
                progress.accept("closing them");
            } finally {
                sandboxes.forEach(Sandbox::close);
            }
        }
        return steps;
    }

    private GrowthStep step(Cordon cordon, int count, double freeBefore) throws Exception {
        List<Long> opening = new ArrayList<>();
        while (sandboxes.size() < count) {
            if (sandboxes.size() % 20 == 0) {
                progress.accept("opening sandbox " + sandboxes.size() + " of " + count);
            }
            long begin = System.nanoTime();
            sandboxes.add(cordon.openSandbox(SandboxSpec.create()));
            opening.add(System.nanoTime() - begin);
        }
        progress.accept("measuring beside " + count + " sandboxes");
        return new GrowthStep(
                count,
                SortedTimings.ofNanos(opening).median(),
                processes(),
                (freeBefore - freeKib()) / count,
                median(() -> BenchFailed.unlessSucceeded(cordon.run(TRUE))),
                median(() -> BenchFailed.unlessSucceeded(sandboxes.getLast().run(TRUE))),
                sweep());
    }

    private static OptionalDouble processes() {
        try {
            return OptionalDouble.of(MemoryFootprint.mean());
        } catch (IOException notAllowed) {
            return OptionalDouble.empty();
        }
    }

    /** Another control plane of this host opens its engine, which sweeps, and runs a job; the job is not what grows. */
    private double sweep() throws Exception {
        return median(() -> {
            try (Cordon other = Cordon.open(config)) {
                BenchFailed.unlessSucceeded(other.run(TRUE));
            }
        });
    }

    private static double median(SortedTimings.Task task) throws Exception {
        return SortedTimings.ofNanos(SortedTimings.oneByOne(task, SAMPLES)).median();
    }

    private static double freeKib() throws IOException {
        return MemoryFootprint.kib(Path.of("/proc/meminfo"), "MemAvailable:");
    }
}
