package dev.cordon.bench;

import dev.cordon.Cordon;
import dev.cordon.config.PoolSettings;
import dev.cordon.job.limit.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Everything that Cordon promises of its speed, measured beside what it is compared with. Nothing has to be set up; what the host lacks
 * is said in the report.
 */
public final class SpeedBenchmark {
    /** As many sandboxes as runs go on at once. */
    public static final PoolSettings POOL = new PoolSettings(64, ByteSize.mib(256));

    /** No sandboxes, but supervisors that wait for their plans. */
    public static final PoolSettings SUPERVISORS = new PoolSettings(0, ByteSize.mib(64), 2);

    private static final String UNJAILED = "ProcessBuilder, unjailed";
    private static final String BWRAP = "bwrap";
    private static final String LEAST_BWRAP = "bwrap, host's root only";

    private final Cordon cordon;
    private final Cordon pooled;
    private final Cordon ahead;
    private final BenchEffort effort;
    private final Map<String, String> environment;
    private final Consumer<String> progress;
    private final List<String> missing = new ArrayList<>();

    /**
     * A benchmark.
     *
     * @param cordon      what is measured
     * @param pooled      the same with a pool of {@link #POOL}
     * @param ahead       the same with {@link #SUPERVISORS}
     * @param environment where other programs are looked for
     * @param progress    hears what is being done
     */
    public SpeedBenchmark(
            Cordon cordon,
            Cordon pooled,
            Cordon ahead,
            BenchEffort effort,
            Map<String, String> environment,
            Consumer<String> progress) {
        this.cordon = cordon;
        this.pooled = pooled;
        this.ahead = ahead;
        this.effort = effort;
        this.environment = Map.copyOf(environment);
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @throws IOException when Cordon itself cannot run a job here
     */
    public BenchReport run() throws Exception {
        long begin = System.nanoTime();
        double load = MeasuredHost.load();
        Path directory = RivalPrograms.directory(LastingWork.memoryDirectory());
        try {
            List<StartTimings> starts = starts(directory);
            List<BenchRow> rows = new ArrayList<>();
            rows.add(latency("warm start", starts, JailContender.POOLED, UNJAILED, "in a sandbox of the pool"));
            rows.add(latency("warm command", starts, OpenContender.NAME, UNJAILED, "in an open sandbox"));
            rows.add(latency("cold start", starts, JailContender.AHEAD, BWRAP, "its supervisor was waiting"));
            rows.add(latency("cold from nothing", starts, JailContender.NOTHING, BWRAP, "nothing was waiting"));
            rows.add(throughput(starts));
            progress.accept("CPU-bound work");
            LastingWork work = new LastingWork(cordon, directory);
            rows.add(work.cpu(effort.work()));
            progress.accept("file-bound work");
            rows.add(work.files(effort.work()));
            progress.accept("memory of idle sandboxes");
            rows.add(MemoryFootprint.row(cordon, effort.idle()));
            progress.accept("the command line");
            rows.add(CommandLineRow.row(effort.processes()));
            return new BenchReport(MeasuredHost.since(begin, load), rows, starts, missing);
        } finally {
            delete(directory);
        }
    }

    private List<StartTimings> starts(Path directory) throws Exception {
        progress.accept("getting everybody ready");
        try (OpenContender open = new OpenContender(cordon)) {
            return starts(new ContenderRace(contenders(directory, open)));
        }
    }

    private List<StartTimings> starts(ContenderRace race) throws Exception {
        race.warmUp(effort.warmUp(), Duration.ofSeconds(6));
        List<StartTimings> starts = new ArrayList<>();
        for (int parallel : effort.parallel()) {
            progress.accept("starts, " + parallel + " at once");
            starts.addAll(
                    parallel == 1
                            ? race.run(1, effort.single(), 1)
                            : race.run(parallel, effort.rounds(), Math.max(parallel, 16)));
        }
        return starts;
    }

    private List<BenchContender> contenders(Path directory, OpenContender open) throws IOException {
        List<BenchContender> contenders = new ArrayList<>();
        contenders.add(new ProgramContender(UNJAILED, List.of(RivalPrograms.TRUE)));
        contenders.add(open);
        contenders.add(new JailContender(JailContender.POOLED, pooled));
        contenders.add(new JailContender(JailContender.AHEAD, ahead));
        contenders.add(new JailContender(JailContender.NOTHING, cordon));
        Optional<Path> bwrap = RivalPrograms.find("bwrap", environment);
        if (bwrap.isPresent()) {
            addWorking(contenders, new ProgramContender(BWRAP, RivalPrograms.bwrap(bwrap.get())));
            addWorking(contenders, new ProgramContender(LEAST_BWRAP, RivalPrograms.leastBwrap(bwrap.get())));
        } else {
            missing.add("bwrap is not installed (Debian: apt-get install bubblewrap)");
        }
        Optional<Path> runc = RivalPrograms.find("runc", environment);
        if (runc.isPresent()) {
            RivalPrograms.writeBundle(directory.resolve("bundle"));
            addWorking(
                    contenders,
                    new ProgramContender("runc", RivalPrograms.runc(runc.get(), directory.resolve("bundle"))));
        } else {
            missing.add("runc is not installed (Debian: apt-get install runc)");
        }
        return contenders;
    }

    /** One that cannot do it here, such as runc without root, is left out. */
    private void addWorking(List<BenchContender> contenders, BenchContender contender) {
        try {
            contender.run();
            contenders.add(contender);
        } catch (Exception e) {
            missing.add(contender.name() + " does not work for this user on this host: " + e.getMessage());
        }
    }

    private BenchRow latency(String name, List<StartTimings> starts, String ours, String theirs, String how) {
        Optional<StartTimings> own = find(starts, ours, 1);
        Optional<StartTimings> other = find(starts, theirs, 1);
        return new BenchRow(
                name,
                "ms",
                own.stream().mapToDouble(start -> start.latency().median()).findFirst(),
                theirs,
                other.stream().mapToDouble(start -> start.latency().median()).findFirst(),
                PromisedBar.atMost(0.6),
                own.map(start -> how + "; median of " + start.latency().count() + ", one at a time, all in turns")
                                .orElse("not measured")
                        + (other.isPresent() ? "" : "; nothing to compare with"));
    }

    private BenchRow throughput(List<StartTimings> starts) {
        Optional<StartTimings> own = find(starts, OpenContender.NAME, 2);
        Optional<StartTimings> other = find(starts, BWRAP, 2);
        return new BenchRow(
                "throughput, warm",
                "jobs/s",
                own.stream().mapToDouble(StartTimings::jobsPerSecond).findFirst(),
                BWRAP,
                other.stream().mapToDouble(StartTimings::jobsPerSecond).findFirst(),
                PromisedBar.atLeast(2),
                "two at once, in open sandboxes" + (other.isPresent() ? "" : "; nothing to compare with"));
    }

    private static Optional<StartTimings> find(List<StartTimings> starts, String name, int parallel) {
        return starts.stream()
                .filter(start ->
                        start.parallel() == parallel && start.contender().equals(name))
                .findFirst();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
