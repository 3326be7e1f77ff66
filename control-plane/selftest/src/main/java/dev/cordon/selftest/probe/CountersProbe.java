package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Finding;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.Transcript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** E-09: the boot's id, the kernel's counters, disks and hardware: what tells a job on which host it is, or lets two jobs talk. */
public record CountersProbe(String id, String title) implements Probe {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    @Override
    public Finding run(ProbeBox box) throws IOException, InterruptedException {
        String boot = Files.readString(BOOT_ID).strip();
        Transcript control = box.outside(box.subdirectory(id), Map.of(), id, boot);
        Transcript inside = Transcript.of(box.inside(box.job(id, boot)));
        return ControlComparison.of(control, inside);
    }
}
