package dev.cordon.selftest.probe;

import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.selftest.rig.PlainProbe;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** a job that asks for a working directory outside its root does not start. */
public record WorkingDirectoryProbe(String id, String title) implements Probe {
    private static final String INPUT = "/opt/input";

    private static final List<String> OUTSIDE =
            List.of("/proc/self/root", "/proc/1/root", "/proc/1/cwd", "/proc/self/fd/0", INPUT + "/link");

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        return PlainProbe.in(id, title, "/usr").run(box).and(() -> refusals(box));
    }

    private ProbeFinding refusals(ProbeBox box) {
        for (String directory : OUTSIDE) {
            Result result =
                    box.inside(box.job("list").readOnly(input(box), INPUT).workdir(directory));
            if (result.outcome() instanceof Outcome.Ending) {
                return ProbeFinding.escaped("a job started in " + directory);
            }
        }
        return ProbeFinding.denied(OUTSIDE.size() + " directories refused");
    }

    /** A link that leads out by way of a magic link. */
    private static Path input(ProbeBox box) {
        try {
            Path directory = box.subdirectory("A-02-input");
            Path link = directory.resolve("link");
            if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                Files.createSymbolicLink(link, Path.of("/proc/1/root"));
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
