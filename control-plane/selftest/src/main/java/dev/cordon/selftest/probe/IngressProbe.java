package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.LoopbackCaller;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import java.io.IOException;
import java.net.ServerSocket;

/** F-08: what a job listens on can't be reached from the host. */
public record IngressProbe(String id, String title) implements Probe {
    private static final String PATIENCE_MS = "700";

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        int port = freePort();
        String[] arguments = {id, Integer.toString(port), PATIENCE_MS};
        ProbeTranscript control;
        try (LoopbackCaller _ = new LoopbackCaller(port)) {
            control = box.control(arguments);
        }
        try (LoopbackCaller guest = new LoopbackCaller(port)) {
            ProbeTranscript inside = ProbeTranscript.of(box.inside(box.job(arguments)));
            return ControlComparison.of(control, inside)
                    .and(() -> guest.welcome()
                            ? ProbeFinding.escaped("the host connected to port " + port)
                            : ProbeFinding.denied("the host found nobody"));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
