package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.HostProcess;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/** a canary in the environment and the arguments of a process of the caller's, and in a file. */
public record SecretsProbe(String id, String title) implements Probe {
    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        String canary = "canary-" + random();
        // Backwards, so that the probe's own arguments do not hold it.
        String backwards = new StringBuilder(canary).reverse().toString();
        Map<String, String> environment = Map.of("SECRET", canary);
        Path directory = box.subdirectory(id);
        Files.writeString(directory.resolve("secret"), canary);
        try (HostProcess _ = HostProcess.start(box.command("wait", canary), environment)) {
            ProbeTranscript control = box.outside(directory, environment, id, backwards, directory.toString());
            ProbeTranscript inside = ProbeTranscript.of(box.inside(box.job(id, backwards, "/")));
            return ControlComparison.of(control, inside);
        }
    }

    private static String random() {
        byte[] bytes = new byte[12];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
