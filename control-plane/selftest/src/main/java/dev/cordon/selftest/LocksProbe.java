package dev.cordon.selftest;

import java.io.IOException;
import java.util.Map;

/** E-03: a lock on a file of the host, taken outside or by another job, is not met by a job: its file has another inode. */
final class LocksProbe implements Probe {
    private static final String HOSTS = "/usr/bin/env";
    private static final String JOBS = "/usr/bin/sort";

    @Override
    public String id() {
        return "E-03";
    }

    @Override
    public String title() {
        return "locks on files of the host";
    }

    @Override
    public Finding run(Bench bench) throws IOException, InterruptedException {
        try (StandIn _ = StandIn.start(bench.command("lock", HOSTS), Map.of())) {
            Transcript control = control(bench);
            try (Sibling _ = Sibling.start(bench, bench.job("lock", JOBS))) {
                return Comparison.of(control, Transcript.of(bench.inside(bench.job(id(), HOSTS, JOBS))));
            }
        }
    }

    private Transcript control(Bench bench) throws IOException, InterruptedException {
        try (StandIn _ = StandIn.start(bench.command("lock", JOBS), Map.of())) {
            return bench.outside(bench.subdirectory(id()), Map.of(), id(), HOSTS, JOBS);
        }
    }
}
