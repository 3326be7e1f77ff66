package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.PlainProbe;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** C-07, C-09: nothing that a job does to mounts is seen on the host. */
public record MountsProbe(String id, String title) implements Probe {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        List<String> before = Files.readAllLines(MOUNTS);
        ProbeFinding finding = PlainProbe.in(id, title, "/workspace").run(box);
        List<String> changed = changes(before);
        return finding.and(() -> changed.isEmpty()
                ? ProbeFinding.denied("the host's " + before.size() + " mounts are the same")
                : ProbeFinding.escaped("the host's mounts changed: " + changed.getFirst()));
    }

    private static List<String> changes(List<String> before) throws IOException {
        List<String> after = Files.readAllLines(MOUNTS);
        List<String> changed = new ArrayList<>(after);
        changed.removeAll(before);
        List<String> gone = new ArrayList<>(before);
        gone.removeAll(after);
        changed.addAll(gone);
        return changed;
    }
}
