package dev.cordon.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Lets contenders run in turns, in an order that changes every round, so that whatever else the machine does falls on all of them alike.
 */
final class ContenderRace {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Runs after which a contender may get ready again while all warm up. */
    private static final int BETWEEN = 16;

    private final List<BenchContender> contenders;
    private final Random random = new Random(1);

    ContenderRace(List<BenchContender> contenders) {
        this.contenders = List.copyOf(contenders);
    }

    /**
     * Runs that nobody counts: the JVM compiles what it will need, and the host's caches fill.
     *
     * @param runs  of each contender, at most
     * @param limit and for no longer than this
     */
    void warmUp(int runs, Duration limit) throws Exception {
        for (BenchContender contender : contenders) {
            long end = System.nanoTime() + limit.toNanos();
            for (int i = 0; i < runs && System.nanoTime() - end < 0; i++) {
                if (i % BETWEEN == 0) {
                    contender.prepare(1);
                }
                contender.run();
            }
        }
    }

    /**
     * Measures.
     *
     * @param parallel how many run at once
     * @param rounds   how many turns each contender gets
     * @param perRound how many runs are in a turn
     */
    List<StartTimings> run(int parallel, int rounds, int perRound) throws Exception {
        Map<BenchContender, List<Long>> latencies = new HashMap<>();
        Map<BenchContender, Long> spent = new HashMap<>();
        List<BenchContender> order = new ArrayList<>(contenders);
        try (ExecutorService threads = Executors.newFixedThreadPool(parallel)) {
            for (int round = 0; round < rounds; round++) {
                Collections.shuffle(order, random);
                for (BenchContender contender : order) {
                    contender.prepare(perRound);
                    long begin = System.nanoTime();
                    List<Long> measured = parallel == 1
                            ? SortedTimings.oneByOne(contender::run, perRound)
                            : together(contender, perRound, parallel, threads);
                    spent.merge(contender, System.nanoTime() - begin, Long::sum);
                    latencies
                            .computeIfAbsent(contender, key -> new ArrayList<>())
                            .addAll(measured);
                }
            }
        }
        return contenders.stream()
                .map(contender -> start(
                        contender,
                        parallel,
                        latencies.getOrDefault(contender, List.of()),
                        spent.getOrDefault(contender, 1L)))
                .toList();
    }

    private static StartTimings start(BenchContender contender, int parallel, List<Long> latencies, long spent) {
        return new StartTimings(
                contender.name(),
                parallel,
                SortedTimings.ofNanos(latencies),
                latencies.size() * NANOS_PER_SECOND / spent);
    }

    /** As many runs at once as there are threads, until all are done. */
    private static List<Long> together(BenchContender contender, int runs, int parallel, ExecutorService threads)
            throws Exception {
        List<Future<List<Long>>> lanes = new ArrayList<>();
        for (int lane = 0; lane < parallel; lane++) {
            int share = runs / parallel + (lane < runs % parallel ? 1 : 0);
            lanes.add(threads.submit(() -> SortedTimings.oneByOne(contender::run, share)));
        }
        List<Long> measured = new ArrayList<>();
        for (Future<List<Long>> lane : lanes) {
            try {
                measured.addAll(lane.get());
            } catch (ExecutionException e) {
                throw new BenchFailed(contender.name() + ": " + e.getCause());
            }
        }
        return measured;
    }
}
