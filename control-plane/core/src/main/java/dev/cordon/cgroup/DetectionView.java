package dev.cordon.cgroup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.function.Predicate;

/**
 * What detection looks at, so that a test can show it another host.
 *
 * @param root the directory that stands for "/": proc, run and sys are looked up below it
 * @param writable whether this process may write a file or make entries in a directory
 * @param delegated whether systemd has marked a cgroup as handed over to its processes
 */
public record DetectionView(Path root, Predicate<Path> writable, Predicate<Path> delegated) {

    /** This host, as this process sees it. */
    public static DetectionView real() {
        return new DetectionView(Path.of("/"), Files::isWritable, DetectionView::marked);
    }

    public Path at(String absolute) {
        return root.resolve(absolute.substring(1));
    }

    public List<String> lines(String file) {
        try {
            return Files.readAllLines(at(file), StandardCharsets.UTF_8);
        } catch (IOException absent) {
            return List.of();
        }
    }

    /** Whether the file is there and may be written. */
    public boolean canWrite(Path file) {
        return Files.exists(file) && writable.test(file);
    }

    /** The real user id: the one that access(2), and so {@link Files#isWritable}, decides by. */
    public long uid() {
        for (String line : lines("/proc/self/status")) {
            if (line.startsWith("Uid:")) {
                return Long.parseLong(line.substring(4).strip().split("\\s+", 2)[0]);
            }
        }
        throw new UncheckedIOException(new IOException("/proc/self/status names no Uid: is /proc mounted?"));
    }

    /** The process id in the namespace that cgroup files are read in. */
    public String pid() {
        List<String> stat = lines("/proc/self/stat");
        return stat.isEmpty() ? "" : stat.getFirst().split(" ", 2)[0];
    }

    /** systemd 251 and later set user.delegate=1; earlier ones set trusted.delegate, which only C code can read. */
    private static boolean marked(Path cgroup) {
        var attributes = Files.getFileAttributeView(cgroup, UserDefinedFileAttributeView.class);
        if (attributes == null) {
            return false;
        }
        try {
            ByteBuffer value = ByteBuffer.allocate(8);
            return attributes.read("delegate", value) > 0 && value.get(0) == '1';
        } catch (IOException absent) {
            return false;
        }
    }
}
