package dev.cordon.selftest.probe;

import dev.cordon.bindings.NativeParts;
import dev.cordon.selftest.rig.PlainProbe;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** the program that runs the jail can't be read, held, written or executed through /proc, and is the same afterwards. */
public record RunnerProbe(String id, String title) implements Probe {
    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        byte[] before = program();
        ProbeFinding finding = PlainProbe.of(id, title).run(box);
        byte[] after = program();
        return finding.and(() -> Arrays.equals(before, after)
                ? ProbeFinding.denied("the supervisor's program is unchanged")
                : ProbeFinding.escaped("the supervisor's program was changed"));
    }

    private static byte[] program() throws IOException {
        return Files.readAllBytes(Path.of(
                "/proc/self/fd/" + NativeParts.load().supervisorProgram().number()));
    }
}
