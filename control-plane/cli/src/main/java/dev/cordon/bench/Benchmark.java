package dev.cordon.bench;

import dev.cordon.Cordon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final String UNJAILED = "ProcessBuilder, unjailed";
    private static final String BWRAP = "bwrap";
    private static final String LEAST_BWRAP = "bwrap, host's root only";

    private final Cordon cordon;
    private final Effort effort;
    private final Map<String, String> environment;
    private final Consumer<String> progress;
    private final List<String> missing = new ArrayList<>();

    /**
     * A benchmark.
     *
     * @param cordon      what is measured
     * @param environment where other programs are looked for
     * @param progress    hears what is being done
     */
    public Benchmark(Cordon cordon, Effort effort, Map<String, String> environment, Consumer<String> progress) {
        this.cordon = cordon;
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
            rows.add(latency("cold start", starts, ColdContender.NAME, BWRAP, Bar.atMost(0.6)));
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
        List<Contender> contenders = contenders(directory);
        Race race = new Race(contenders);
        race.warmUp(effort.warmUp());
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

    private List<Contender> contenders(Path directory) throws IOException {
        List<Contender> contenders = new ArrayList<>();
        contenders.add(new ProgramContender(UNJAILED, List.of(Programs.TRUE)));
        contenders.add(new ColdContender(cordon));
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

    private Row latency(String name, List<Start> starts, String ours, String theirs, Bar bar) {
        Optional<Start> own = find(starts, ours);
        Optional<Start> other = find(starts, theirs);
        return new Row(
                name,
                "ms",
                median(own),
                theirs,
                median(other),
                bar,
                own.map(start -> "median of " + start.latency().count() + ", one at a time, all in turns")
                                .orElse("not measured")
                        + (other.isPresent() ? "" : "; nothing to compare with"));
    }

    private static OptionalDouble median(Optional<Start> start) {
        return start.isPresent() ? OptionalDouble.of(start.get().latency().median()) : OptionalDouble.empty();
    }

    private static Optional<Start> find(List<Start> starts, String name) {
        return starts.stream()
                .filter(start -> start.parallel() == 1 && start.contender().equals(name))
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
