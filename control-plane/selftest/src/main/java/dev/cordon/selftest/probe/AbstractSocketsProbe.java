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
import java.util.concurrent.ThreadLocalRandom;

/** E-01: the abstract sockets of the host and of another job can't be reached. */
public record AbstractSocketsProbe(String id, String title) implements Probe {
    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        String name = "cordon-selftest-" + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        String other = name + "-job";
        try (HostProcess _ = HostProcess.start(box.command("serve", name), Map.of());
                SiblingJob _ = SiblingJob.start(box, box.job("serve", other))) {
            ProbeTranscript control = box.control(id, name);
            ProbeTranscript host = ProbeTranscript.of(box.inside(box.job(id, name)));
            ProbeTranscript job = ProbeTranscript.of(box.inside(box.job(id, other)));
            return ControlComparison.of(control, host.and(job));
        }
    }
}
