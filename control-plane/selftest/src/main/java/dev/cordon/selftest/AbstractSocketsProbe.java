package dev.cordon.selftest;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** E-01: the abstract sockets of the host and of another job can't be reached. */
final class AbstractSocketsProbe implements Probe {
    @Override
    public String id() {
        return "E-01";
    }

    @Override
    public String title() {
        return "abstract sockets";
    }

    @Override
    public Finding run(Bench bench) throws IOException, InterruptedException {
        String name = "cordon-selftest-" + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        String other = name + "-job";
        try (StandIn _ = StandIn.start(bench.command("serve", name), Map.of());
                Sibling _ = Sibling.start(bench, bench.job("serve", other))) {
            Transcript control = bench.outside(bench.subdirectory(id()), Map.of(), id(), name);
            Transcript host = Transcript.of(bench.inside(bench.job(id(), name)));
            Transcript job = Transcript.of(bench.inside(bench.job(id(), other)));
            return Comparison.of(control, host.and(job));
        }
    }
}
