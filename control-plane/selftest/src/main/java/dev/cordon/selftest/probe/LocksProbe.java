package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.HostProcess;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import dev.cordon.selftest.rig.SiblingJob;
import java.io.IOException;
import java.util.Map;

/** E-03: a lock on a file of the host, taken outside or by another job, is not met by a job: its file has another inode. */
public record LocksProbe(String id, String title) implements Probe {
    private static final String HOSTS = "/usr/bin/env";
    private static final String JOBS = "/usr/bin/sort";

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        try (HostProcess _ = HostProcess.start(box.command("lock", HOSTS), Map.of())) {
            ProbeTranscript control = control(box);
            try (SiblingJob _ = SiblingJob.start(box, box.job("lock", JOBS))) {
                return ControlComparison.of(control, ProbeTranscript.of(box.inside(box.job(id, HOSTS, JOBS))));
            }
        }
    }

    private ProbeTranscript control(ProbeBox box) throws IOException, InterruptedException {
        try (HostProcess _ = HostProcess.start(box.command("lock", JOBS), Map.of())) {
            return box.control(id, HOSTS, JOBS);
        }
    }
}
