package dev.cordon.selftest;

import dev.cordon.Cordon;
import dev.cordon.bindings.NativeParts;
import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Tries to get out of Cordon's jails on this host as this user: the attempts of the threat list, each of them outside first, where it has to
 * come through, then inside, where it has to be refused, and then by its effect outside. Changes nothing that lasts: what it makes outside
 * are files in a directory of its own, processes that it ends, and namespaces.
 */
public final class Selftest {
    private Selftest() {}

    /** The ids of all probes, in their order. */
    public static List<String> ids() {
        return ProbeCatalogue.all().stream().map(Probe::id).toList();
    }

    /**
     * Runs the suite. Takes less than a minute.
     *
     * @param cordon   what is tested
     * @param listener hears of each probe when it is done, in no particular order, from several threads, one at a time
     * @throws IOException              when there is no place to work in
     * @throws IllegalArgumentException when no probe has a wanted id
     */
    public static SelftestReport run(Cordon cordon, SelftestOptions options, Consumer<ProbeReport> listener)
            throws IOException, InterruptedException {
        List<Probe> wanted = wanted(options);
        try (ProbeBox box = ProbeBox.open(cordon, NativeParts.load().probesProgram());
                ExecutorService threads = Executors.newFixedThreadPool(options.parallel())) {
            List<Future<ProbeReport>> running = new ArrayList<>();
            for (Probe probe : wanted) {
                running.add(threads.submit(() -> {
                    ProbeReport report = report(probe, box);
                    synchronized (listener) {
                        listener.accept(report);
                    }
                    return report;
                }));
            }
            return new SelftestReport(finished(running));
        }
    }

    private static List<Probe> wanted(SelftestOptions options) {
        Set<String> unknown = new TreeSet<>(options.only());
        unknown.removeAll(ProbeCatalogue.all().stream().map(Probe::id).collect(Collectors.toSet()));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "no probe is called " + String.join(", ", unknown) + "; there are " + String.join(", ", ids()));
        }
        return ProbeCatalogue.all().stream()
                .filter(probe -> options.wants(probe.id()))
                .toList();
    }

    /** A probe that breaks proves nothing, and that is reported as loudly as an escape. */
    private static ProbeReport report(Probe probe, ProbeBox box) {
        ProbeFinding finding;
        try {
            finding = probe.run(box);
        } catch (IOException | RuntimeException e) {
            finding = ControlComparison.worthless(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            finding = ControlComparison.worthless("interrupted");
        }
        return new ProbeReport(probe.id(), probe.title(), finding.verdict(), finding.detail());
    }

    private static List<ProbeReport> finished(List<Future<ProbeReport>> running) throws InterruptedException {
        List<ProbeReport> reports = new ArrayList<>();
        for (Future<ProbeReport> each : running) {
            try {
                reports.add(each.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a listener of the self-test failed", e.getCause());
            }
        }
        return reports;
    }
}
