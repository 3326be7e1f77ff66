package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** C-06: a file of the host's that the job is not shown can't be reached by any way out of the root. */
public record OldRootProbe(String id, String title) implements Probe {
    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        Path directory = box.subdirectory(id);
        String marker = Files.writeString(directory.resolve("marker"), "marker").toString();
        ProbeTranscript control = box.outside(directory, Map.of(), id, marker, directory.toString());
        ProbeTranscript inside = ProbeTranscript.of(box.inside(box.job(id, marker, "/workspace")));
        return ControlComparison.of(control, inside);
    }
}
