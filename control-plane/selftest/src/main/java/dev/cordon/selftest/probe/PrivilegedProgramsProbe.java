package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** a setuid program and one with file capabilities give a job nothing. As root the control makes them, and the job is shown them. */
public record PrivilegedProgramsProbe(String id, String title) implements Probe {
    private static final String INSIDE = "/opt/privileged";

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        Path directory = box.subdirectory(id);
        ProbeTranscript control = box.outside(directory, Map.of(), id, directory.toString());
        ProbeTranscript inside =
                ProbeTranscript.of(box.inside(box.job(id, INSIDE).readOnly(directory, INSIDE)));
        return ControlComparison.of(control, inside);
    }
}
