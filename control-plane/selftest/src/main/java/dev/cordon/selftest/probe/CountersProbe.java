package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** E-09: the boot's id, the kernel's counters, disks and hardware: what tells a job on which host it is, or lets two jobs talk. */
public record CountersProbe(String id, String title) implements Probe {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        return box.compare(id, Files.readString(BOOT_ID).strip());
    }
}
