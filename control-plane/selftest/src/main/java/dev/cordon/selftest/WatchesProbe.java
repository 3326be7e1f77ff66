package dev.cordon.selftest;

import java.io.IOException;
import java.util.Map;

/** E-07: a process outside and another job open a file of the host all the time; a job that watches it sees neither. */
final class WatchesProbe implements Probe {
    private static final String DIRECTORY = "/usr/bin";
    private static final String SHARED = DIRECTORY + "/env";

    @Override
    public String id() {
        return "E-07";
    }

    @Override
    public String title() {
        return "watching files of the host";
    }

    @Override
    public Finding run(Bench bench) throws IOException, InterruptedException {
        // Rootless nobody makes device nodes: the host's are bound, and SECURITY.md says so.
        String[] arguments = bench.root()
                ? new String[] {id(), SHARED, DIRECTORY, "devices"}
                : new String[] {id(), SHARED, DIRECTORY};
        try (StandIn _ = StandIn.start(bench.command("open", SHARED), Map.of());
                Sibling _ = Sibling.start(bench, bench.job("open", SHARED))) {
            Transcript control = bench.outside(bench.subdirectory(id()), Map.of(), arguments);
            Transcript inside = Transcript.of(bench.inside(bench.job(arguments)));
            return Comparison.of(control, inside);
        }
    }
}
