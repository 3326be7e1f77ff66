package dev.cordon.selftest.probe;

import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.RepeatingThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * C-02: a directory that a job is given holds links where the jail has its own trees, and they change while jails are built. Nothing behind
 * the links is made, changed or touched.
 *
 * @param starts   so many jails are built
 * @param progress hears how many are done
 */
public record HostileDirectoryProbe(String id, String title, int starts, IntConsumer progress) implements Probe {
    private static final int STARTS = 16;
    private static final List<String> NAMES = List.of("dev", "proc", "tmp", "etc", "usr", "workspace");

    /** As many starts as the self-test has time for. */
    public HostileDirectoryProbe(String id, String title) {
        this(id, title, STARTS, done -> {});
    }

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        Path canary = box.subdirectory(id + "-canary");
        Path hostile = box.subdirectory(id + "-hostile");
        String before = state(canary);
        if (!isNoticed(box)) {
            return ControlComparison.worthless("a file made through a link was not noticed");
        }
        swap(hostile, canary, true);
        try (RepeatingThread _ = RepeatingThread.start(round -> swap(hostile, canary, round % 2 == 0))) {
            for (int i = 0; i < starts; i++) {
                Result result = box.inside(box.job("list").readOnly(hostile, "/workspace/in"));
                if (!(result.outcome() instanceof Outcome.Exited)) {
                    return ControlComparison.worthless("a job ended with " + result.outcome());
                }
                progress.accept(i + 1);
            }
        }
        String after = state(canary);
        return before.equals(after)
                ? ProbeFinding.denied(starts + " jails built while links changed, nothing behind them touched")
                : ProbeFinding.escaped("behind the links it was " + before + " and is " + after);
    }

    /** The control: a file that somebody makes through such a link shows in the state. */
    private boolean isNoticed(ProbeBox box) throws IOException {
        Path canary = box.subdirectory(id + "-control");
        String before = state(canary);
        Path link = box.subdirectory(id + "-links").resolve("tmp");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, canary);
        Files.writeString(link.resolve("made"), "made");
        return !state(canary).equals(before);
    }

    /** Everything that a mount, a mkdir or a chmod in the wrong place would change. */
    private static String state(Path directory) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(directory, PosixFileAttributes.class);
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(Path::getFileName).sorted().toList() + " " + attributes.permissions() + " "
                    + attributes.lastModifiedTime() + " " + attributes.owner();
        }
    }

    private static void swap(Path hostile, Path canary, boolean links) {
        try {
            for (String name : NAMES) {
                Path entry = hostile.resolve(name);
                if (Files.exists(entry, LinkOption.NOFOLLOW_LINKS)) {
                    Files.delete(entry);
                }
                if (links) {
                    Files.createSymbolicLink(entry, canary);
                } else {
                    Files.createDirectory(entry);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
