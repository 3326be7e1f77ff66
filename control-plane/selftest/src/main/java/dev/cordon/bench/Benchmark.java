package dev.cordon.bench;

import dev.cordon.Cordon;
import dev.cordon.api.ByteSize;
import dev.cordon.config.PoolSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Everything that Cordon promises of its speed, measured beside what it is compared with. Nothing has to be set up; what the host lacks
 * is said in the report.
 */
public final class Benchmark {
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
    private final Effort effort;
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
    public Benchmark(
            Cordon cordon,
            Cordon pooled,
            Cordon ahead,
            Effort effort,
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
    public Report run() throws Exception {
        long begin = System.nanoTime();
        double load = Machine.load();
        Path directory = Programs.directory(Work.memoryDirectory());
        try {
            List<Start> starts = starts(directory);
            List<Row> rows = new ArrayList<>();
            rows.add(latency("warm start", starts, PooledContender.NAME, UNJAILED, "in a sandbox of the pool"));
            rows.add(latency("warm command", starts, OpenContender.NAME, UNJAILED, "in an open sandbox"));
            rows.add(latency("cold start", starts, ColdContender.AHEAD, BWRAP, "its supervisor was waiting"));
            rows.add(latency("cold from nothing", starts, ColdContender.NOTHING, BWRAP, "nothing was waiting"));
            rows.add(throughput(starts));
            progress.accept("CPU-bound work");
            Work work = new Work(cordon, directory);
            rows.add(work.cpu(effort.work()));
            progress.accept("file-bound work");
            rows.add(work.files(effort.work()));
            progress.accept("memory of idle sandboxes");
            rows.add(Footprint.row(cordon, effort.idle()));
            progress.accept("the command line");
            rows.add(commandLine());
            return new Report(Machine.since(begin, load), rows, starts, missing);
        } finally {
            delete(directory);
        }
    }

    private List<Start> starts(Path directory) throws Exception {
        progress.accept("getting everybody ready");
        try (OpenContender open = new OpenContender(cordon)) {
            return starts(new Race(contenders(directory, open)));
        }
    }

    private List<Start> starts(Race race) throws Exception {
        race.warmUp(effort.warmUp(), Duration.ofSeconds(6));
        List<Start> starts = new ArrayList<>();
        for (int parallel : effort.parallel()) {
            progress.accept("starts, " + parallel + " at once");
            starts.addAll(
                    parallel == 1
                            ? race.run(1, effort.single(), 1)
                            : race.run(parallel, effort.rounds(), Math.max(parallel, 16)));
        }
        return starts;
    }

    private List<Contender> contenders(Path directory, OpenContender open) throws IOException {
        List<Contender> contenders = new ArrayList<>();
        contenders.add(new ProgramContender(UNJAILED, List.of(Programs.TRUE)));
        contenders.add(open);
        contenders.add(new PooledContender(pooled));
        contenders.add(new ColdContender(ColdContender.AHEAD, ahead));
        contenders.add(new ColdContender(ColdContender.NOTHING, cordon));
        Optional<Path> bwrap = Programs.find("bwrap", environment);
        if (bwrap.isPresent()) {
            addWorking(contenders, new ProgramContender(BWRAP, Programs.bwrap(bwrap.get())));
            addWorking(contenders, new ProgramContender(LEAST_BWRAP, Programs.leastBwrap(bwrap.get())));
        } else {
            missing.add("bwrap is not installed (Debian: apt-get install bubblewrap)");
        }
        Optional<Path> runc = Programs.find("runc", environment);
        if (runc.isPresent()) {
            Programs.writeBundle(directory.resolve("bundle"));
            addWorking(contenders, new RuncContender(runc.get(), directory.resolve("bundle")));
        } else {
            missing.add("runc is not installed (Debian: apt-get install runc)");
        }
        return contenders;
    }

    /** One that cannot do it here, such as runc without root, is left out. */
    private void addWorking(List<Contender> contenders, Contender contender) {
        try {
            contender.run();
            contenders.add(contender);
        } catch (Exception e) {
            missing.add(contender.name() + " does not work for this user on this host: " + e.getMessage());
        }
    }

    private Row latency(String name, List<Start> starts, String ours, String theirs, String how) {
        Optional<Start> own = find(starts, ours, 1);
        Optional<Start> other = find(starts, theirs, 1);
        return new Row(
                name,
                "ms",
                median(own),
                theirs,
                median(other),
                Bar.atMost(0.6),
                own.map(start -> how + "; median of " + start.latency().count() + ", one at a time, all in turns")
                                .orElse("not measured")
                        + (other.isPresent() ? "" : "; nothing to compare with"));
    }

    private static OptionalDouble median(Optional<Start> start) {
        return start.isPresent() ? OptionalDouble.of(start.get().latency().median()) : OptionalDouble.empty();
    }

    private Row throughput(List<Start> starts) {
        Optional<Start> own = find(starts, OpenContender.NAME, 2);
        Optional<Start> other = find(starts, BWRAP, 2);
        return new Row(
                "throughput, warm",
                "jobs/s",
                rate(own),
                BWRAP,
                rate(other),
                Bar.atLeast(2),
                "two at once, in open sandboxes" + (other.isPresent() ? "" : "; nothing to compare with"));
    }

    private static OptionalDouble rate(Optional<Start> start) {
        return start.isPresent() ? OptionalDouble.of(start.get().jobsPerSecond()) : OptionalDouble.empty();
    }

    private static Optional<Start> find(List<Start> starts, String name, int parallel) {
        return starts.stream()
                .filter(start ->
                        start.parallel() == parallel && start.contender().equals(name))
                .findFirst();
    }

    private Row commandLine() throws Exception {
        try {
            return CommandLine.row(effort.processes());
        } catch (BenchFailed e) {
            return new Row(
                    "cordon run -- true",
                    "ms",
                    OptionalDouble.empty(),
                    "java -version",
                    OptionalDouble.empty(),
                    Bar.atMost(8),
                    "not measured: " + e.getMessage());
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
