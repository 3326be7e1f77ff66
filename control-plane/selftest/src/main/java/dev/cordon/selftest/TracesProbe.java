package dev.cordon.selftest;

import dev.cordon.RunningJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** E-06: jobs that come and go, some of them killed, never see a process, a file or a cgroup of another. */
final class TracesProbe implements Probe {
    private static final int ROUNDS = 6;
    private static final int AT_ONCE = 4;

    @Override
    public String id() {
        return "E-06";
    }

    @Override
    public String title() {
        return "traces of another job";
    }

    @Override
    public Finding run(Bench bench) throws IOException, InterruptedException {
        Transcript control = bench.outside(
                bench.subdirectory(id()), Map.of(), id(), bench.subdirectory("").toString());
        Finding finding = Finding.notApplicable("no job ran");
        for (int round = 0; round < ROUNDS; round++) {
            for (Transcript inside : round(bench)) {
                finding = Comparison.of(control, inside);
                if (finding.verdict() == Verdict.ESCAPED) {
                    return finding;
                }
            }
        }
        return new Finding(finding.verdict(), ROUNDS * AT_ONCE + " jobs, each with " + finding.detail());
    }

    /** Some look around while another one leaves things lying about and is killed. */
    private List<Transcript> round(Bench bench) throws IOException, InterruptedException {
        List<RunningJob> jobs = new ArrayList<>();
        List<Transcript> said = new ArrayList<>();
        try (Sibling _ = Sibling.start(bench, bench.job("hold", "traces", "4711"))) {
            for (int i = 0; i < AT_ONCE; i++) {
                jobs.add(bench.cordon().start(bench.job(id())));
            }
        }
        for (RunningJob job : jobs) {
            said.add(Transcript.of(job.await()));
        }
        return said;
    }
}
