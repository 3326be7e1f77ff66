package dev.cordon.selftest;

import java.io.IOException;
import java.util.Map;

/** F-01: no packet of a job reaches somebody who listens on the host. */
final class EgressProbe implements Probe {
    @Override
    public String id() {
        return "F-01";
    }

    @Override
    public String title() {
        return "packets out of the jail";
    }

    @Override
    public Finding run(Bench bench) throws IOException, InterruptedException {
        try (Listener host = Listener.open()) {
            String port = Integer.toString(host.port());
            Transcript control = bench.outside(bench.subdirectory(id()), Map.of(), id(), port);
            int before = host.visitors();
            Transcript inside = Transcript.of(bench.inside(bench.job(id(), port)));
            int after = host.visitors();
            return Comparison.of(control, inside).and(() -> judge(before, after));
        }
    }

    private static Finding judge(int before, int after) {
        if (before == 0) {
            return Comparison.worthless("the listener did not hear the control either");
        }
        return after == 0
                ? Finding.denied("nothing arrived on the host")
                : Finding.escaped(after + " connections or packets arrived on the host");
    }
}
