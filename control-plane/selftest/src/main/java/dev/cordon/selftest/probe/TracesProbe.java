package dev.cordon.selftest.probe;

import dev.cordon.RunningJob;
import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import dev.cordon.selftest.rig.ProbeVerdict;
import dev.cordon.selftest.rig.SiblingJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** E-06: jobs that come and go, some of them killed, never see a process, a file or a cgroup of another. */
public record TracesProbe(String id, String title) implements Probe {
    private static final int ROUNDS = 6;
    private static final int AT_ONCE = 4;

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        ProbeTranscript control = box.control(id, box.subdirectory("").toString());
        ProbeFinding finding = ProbeFinding.notApplicable("no job ran");
        for (int round = 0; round < ROUNDS; round++) {
            for (ProbeTranscript inside : round(box)) {
                finding = ControlComparison.of(control, inside);
                if (finding.verdict() == ProbeVerdict.ESCAPED) {
                    return finding;
                }
            }
        }
        return new ProbeFinding(finding.verdict(), ROUNDS * AT_ONCE + " jobs, each with " + finding.detail());
    }

    /** Some look around while another one leaves things lying about and is killed. */
    private List<ProbeTranscript> round(ProbeBox box) throws IOException, InterruptedException {
        List<RunningJob> jobs = new ArrayList<>();
        List<ProbeTranscript> said = new ArrayList<>();
        try (SiblingJob _ = SiblingJob.start(box, box.job("hold", "traces", "4711"))) {
            for (int i = 0; i < AT_ONCE; i++) {
                jobs.add(box.cordon().start(box.job(id)));
            }
        }
        for (RunningJob job : jobs) {
            said.add(ProbeTranscript.of(job.await()));
        }
        return said;
    }
}
