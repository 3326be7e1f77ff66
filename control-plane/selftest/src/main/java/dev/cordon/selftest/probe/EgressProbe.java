package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.LoopbackListener;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import java.io.IOException;

/** F-01: no packet of a job reaches somebody who listens on the host. */
public record EgressProbe(String id, String title) implements Probe {
    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        try (LoopbackListener host = LoopbackListener.open()) {
            String port = Integer.toString(host.port());
            ProbeTranscript control = box.control(id, port);
            int before = host.visitors();
            ProbeTranscript inside = ProbeTranscript.of(box.inside(box.job(id, port)));
            int after = host.visitors();
            return ControlComparison.of(control, inside).and(() -> judge(before, after));
        }
    }

    private static ProbeFinding judge(int before, int after) {
        if (before == 0) {
            return ControlComparison.worthless("the listener did not hear the control either");
        }
        return after == 0
                ? ProbeFinding.denied("nothing arrived on the host")
                : ProbeFinding.escaped(after + " connections or packets arrived on the host");
    }
}
