package dev.cordon.selftest;

import java.io.IOException;
import java.util.Map;

/**
 * E-03: a lock on a file of the host image that one job takes is seen by another, because it is the same file. Accepted, and written down in
 * SECURITY.md: a channel of a few bits between jobs that both want to talk. Jobs that must not talk run in virtual machines.
 */
final class LocksProbe implements Probe {
    private static final String SHARED = "/usr/bin/env";

    @Override
    public String id() {
        return "E-03";
    }

    @Override
    public String title() {
        return "locks on shared files";
    }

    @Override
    public Finding run(Bench bench) throws IOException, InterruptedException {
        Transcript control;
        try (StandIn _ = StandIn.start(bench.command("lock", SHARED), Map.of())) {
            control = bench.outside(bench.subdirectory(id()), Map.of(), id(), SHARED);
        }
        try (Sibling _ = Sibling.start(bench, bench.job("lock", SHARED))) {
            Transcript inside = Transcript.of(bench.inside(bench.job(id(), SHARED)));
            Finding finding = Comparison.of(control, inside);
            boolean seen = inside.failure().isEmpty()
                    && inside.attempts().stream().anyMatch(attempt -> attempt.effect() == Attempt.Effect.ESCAPED);
            return seen ? Finding.notApplicable("accepted channel: " + finding.detail()) : finding;
        }
    }
}
