package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.HostProcess;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.SiblingJob;
import java.io.IOException;
import java.util.Map;

/** E-07: a process outside and another job open a file of the host all the time; a job that watches it sees neither. */
public record WatchesProbe(String id, String title) implements Probe {
    private static final String DIRECTORY = "/usr/bin";
    private static final String SHARED = DIRECTORY + "/env";

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        // Rootless nobody makes device nodes: the host's are bound, and SECURITY.md says so.
        String[] arguments =
                box.root() ? new String[] {id, SHARED, DIRECTORY, "devices"} : new String[] {id, SHARED, DIRECTORY};
        try (HostProcess _ = HostProcess.start(box.command("open", SHARED), Map.of());
                SiblingJob _ = SiblingJob.start(box, box.job("open", SHARED))) {
            return box.compare(arguments);
        }
    }
}
