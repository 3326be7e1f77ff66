package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** the launcher is a JVM with many sockets open, and the job has three descriptors. */
public record DescriptorsProbe(String id, String title) implements Probe {
    private static final int SOCKETS = 200;

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        ProbeTranscript control = box.control(id);
        List<DatagramChannel> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < SOCKETS; i++) {
                sockets.add(DatagramChannel.open());
            }
            ProbeTranscript inside = ProbeTranscript.of(box.inside(box.job(id)));
            return ControlComparison.of(control, inside);
        } finally {
            for (DatagramChannel socket : sockets) {
                socket.close();
            }
        }
    }
}
