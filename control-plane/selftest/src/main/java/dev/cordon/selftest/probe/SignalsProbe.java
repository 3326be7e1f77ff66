package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Finding;
import dev.cordon.selftest.rig.HostProcess;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.SiblingJob;
import dev.cordon.selftest.rig.Transcript;
import java.io.IOException;
import java.util.Map;

/** D-04: signals reach neither the control plane, nor a process of the host's, nor another job. */
public record SignalsProbe(String id, String title) implements Probe {
    @Override
    public Finding run(ProbeBox box) throws IOException, InterruptedException {
        Transcript control = box.control(id);
        try (HostProcess victim = HostProcess.start(box.command("wait"), Map.of());
                SiblingJob sibling = SiblingJob.start(box, box.job("wait"))) {
            String plane = Long.toString(ProcessHandle.current().pid());
            Transcript inside = Transcript.of(box.inside(box.job(id, Long.toString(victim.pid()), plane)));
            boolean unharmed = victim.isAlive() && sibling.isAlive();
            return ControlComparison.of(control, inside)
                    .and(() -> unharmed
                            ? Finding.denied("a process of the host's and another job are unharmed")
                            : Finding.escaped("a process outside was ended"));
        }
    }
}
