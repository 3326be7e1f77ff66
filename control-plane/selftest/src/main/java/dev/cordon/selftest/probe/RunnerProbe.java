package dev.cordon.selftest.probe;

import dev.cordon.bindings.Natives;
import dev.cordon.selftest.rig.Finding;
import dev.cordon.selftest.rig.PlainProbe;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** the program that runs the jail can't be read, held, written or executed through /proc, and is the same afterwards. */
public record RunnerProbe(String id, String title) implements Probe {
    @Override
    public Finding run(ProbeBox box) throws IOException, InterruptedException {
        byte[] before = program();
        Finding finding = PlainProbe.of(id, title).run(box);
        byte[] after = program();
        return finding.and(() -> Arrays.equals(before, after)
                ? Finding.denied("the supervisor's program is unchanged")
                : Finding.escaped("the supervisor's program was changed"));
    }

    private static byte[] program() throws IOException {
        return Files.readAllBytes(
                Path.of("/proc/self/fd/" + Natives.load().supervisorProgram().number()));
    }
}
