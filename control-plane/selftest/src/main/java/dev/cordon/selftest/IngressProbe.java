package dev.cordon.selftest;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Map;

/** F-08: what a job listens on can't be reached from the host. */
final class IngressProbe implements Probe {
    private static final String PATIENCE_MS = "700";

    @Override
    public String id() {
        return "F-08";
    }

    @Override
    public String title() {
        return "connections into the jail";
    }

    @Override
    public Finding run(Bench bench) throws IOException, InterruptedException {
        int port = freePort();
        String[] arguments = {id(), Integer.toString(port), PATIENCE_MS};
        Transcript control;
        try (Knocker _ = Knocker.start(port)) {
            control = bench.outside(bench.subdirectory(id()), Map.of(), arguments);
        }
        try (Knocker guest = Knocker.start(port)) {
            Transcript inside = Transcript.of(bench.inside(bench.job(arguments)));
            return Comparison.of(control, inside)
                    .and(() -> guest.welcome()
                            ? Finding.escaped("the host connected to port " + port)
                            : Finding.denied("the host found nobody"));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
