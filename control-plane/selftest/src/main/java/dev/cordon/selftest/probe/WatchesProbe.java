package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.HostProcess;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.SiblingJob;
import java.io.IOException;
import java.util.Map;

/**
 * E-07, E-10: a process outside and another job open a file of the host all the time; a job that watches it sees neither.
 *
 * @param directory where the file is
 * @param name      of the file
 * @param devices   whether a device is watched, too
 */
public record WatchesProbe(String id, String title, String directory, String name, boolean devices) implements Probe {
    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        String shared = directory + "/" + name;
        // Rootless nobody makes device nodes: the host's are bound, and SECURITY.md says so.
        String[] arguments = devices && box.root()
                ? new String[] {id, shared, directory, "devices"}
                : new String[] {id, shared, directory};
        try (HostProcess _ = HostProcess.start(box.command("open", shared), Map.of());
                SiblingJob _ = SiblingJob.start(box, box.job("open", shared))) {
            return box.compare(arguments);
        }
    }
}
