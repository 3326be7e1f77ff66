package dev.cordon.bench;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.job.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Memory of sandboxes that wait: supervisor and init of each, by their proportional set size. */
final class MemoryFootprint {
    private static final double KIB_PER_MIB = 1024;

    private MemoryFootprint() {}

    static BenchRow row(Cordon cordon, int sandboxes) throws Exception {
        List<RunningJob> jobs = new ArrayList<>();
        try {
            CountDownLatch started = new CountDownLatch(sandboxes);
            for (int i = 0; i < sandboxes; i++) {
                // It has spoken when its jail stands; then it waits for its input, which never comes.
                Job job = Job.shell("echo; exec sleep 60");
                jobs.add(cordon.start(job, (source, bytes) -> started.countDown()));
            }
            if (!started.await(60, TimeUnit.SECONDS)) {
                throw new BenchFailed("the sandboxes to look at did not start");
            }
            return row(
                    OptionalDouble.of(mean() / KIB_PER_MIB),
                    "supervisor + init, proportional set size, the mean of all open sandboxes, " + sandboxes
                            + " at least");
        } catch (IOException e) {
            return row(
                    OptionalDouble.empty(),
                    "not measured: " + e.getMessage() + "; run as root, because init cannot be looked at by its owner");
        } finally {
            jobs.forEach(RunningJob::close);
        }
    }

    private static BenchRow row(OptionalDouble mebibytes, String note) {
        PromisedBar bar = PromisedBar.valueAtMost(0.5);
        return new BenchRow("idle sandbox", "MiB", mebibytes, "", OptionalDouble.empty(), bar, note);
    }

    /** In KiB, of all supervisors below this process, those of pools too, and of their children, which are the inits. */
    static double mean() throws IOException {
        double sum = 0;
        int count = 0;
        for (ProcessHandle child : ProcessHandle.current().children().toList()) {
            if (isSupervisor(child)) {
                sum += proportional(child);
                count++;
                for (ProcessHandle init : child.children().toList()) {
                    sum += proportional(init);
                }
            }
        }
        if (count == 0) {
            throw new BenchFailed("there is no sandbox to look at");
        }
        return sum / count;
    }

    private static boolean isSupervisor(ProcessHandle process) throws IOException {
        return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).startsWith("cordon-supervisor");
    }

    private static double proportional(ProcessHandle process) throws IOException {
        return kib(Path.of("/proc/" + process.pid() + "/smaps_rollup"), "Pss:");
    }

    /** The figure of a line that begins so. */
    static double kib(Path file, String key) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(key))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow(() -> new BenchFailed(file + " does not say " + key));
    }
}
