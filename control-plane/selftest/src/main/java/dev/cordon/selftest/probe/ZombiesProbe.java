package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.PlainProbe;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** D-02: orphans are reaped inside, and the control plane has no zombies of its own. */
public record ZombiesProbe(String id, String title) implements Probe {
    private static final Duration SAMPLE = Duration.ofSeconds(1);
    private static final Duration STEP = Duration.ofMillis(50);

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        ProbeFinding finding = PlainProbe.of(id, title).run(box);
        long zombies = settled();
        return finding.and(() -> zombies == 0
                ? ProbeFinding.denied("none outside")
                : ProbeFinding.escaped("the control plane has " + zombies + " zombies"));
    }

    /** A process that ends is a zombie for a moment; only one that stays is left behind. */
    private static long settled() throws IOException {
        long zombies = zombies();
        for (Duration waited = Duration.ZERO; zombies > 0 && waited.compareTo(SAMPLE) < 0; waited = waited.plus(STEP)) {
            LockSupport.parkNanos(STEP.toNanos());
            zombies = zombies();
        }
        return zombies;
    }

    private static long zombies() throws IOException {
        String parent = Long.toString(ProcessHandle.current().pid());
        long count = 0;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                count += isZombie(process, parent) ? 1 : 0;
            }
        }
        return count;
    }

    private static boolean isZombie(Path process, String parent) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 3);
            return fields[0].equals("Z") && fields[1].equals(parent);
        } catch (IOException gone) {
            return false;
        }
    }
}
