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

/** D-04: signals reach neither the control plane, nor a process of the host's, nor another job. */
public record SignalsProbe(String id, String title) implements Probe {
    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        ProbeTranscript control = box.control(id);
        try (HostProcess victim = HostProcess.start(box.command("wait"), Map.of());
                SiblingJob sibling = SiblingJob.start(box, box.job("wait"))) {
            String plane = Long.toString(ProcessHandle.current().pid());
            ProbeTranscript inside = ProbeTranscript.of(box.inside(box.job(id, Long.toString(victim.pid()), plane)));
            boolean unharmed = victim.isAlive() && sibling.isAlive();
            return ControlComparison.of(control, inside)
                    .and(() -> unharmed
                            ? ProbeFinding.denied("a process of the host's and another job are unharmed")
                            : ProbeFinding.escaped("a process outside was ended"));
        }
    }
}
