package dev.cordon.plan.host;

import dev.cordon.plan.planner.RootLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is mounted on the host, and where. Some file systems are not data but doors into the kernel: a bind takes along whatever is mounted
 * below its source, so a directory with a proc somewhere in it would show the host's processes.
 *
 * @param points all mounts of the host, in their order
 */
record HostMounts(List<Point> points) {
    /** One mount, and whether it is the kernel's own. */
    private record Point(String path, boolean kernel) {}

    static final HostMounts NONE = new HostMounts(List.of());

    private static final Set<String> TYPES = Set.of(
            "autofs",
            "binfmt_misc",
            "bpf",
            "cgroup",
            "cgroup2",
            "configfs",
            "debugfs",
            "devpts",
            "devtmpfs",
            "efivarfs",
            "fusectl",
            "mqueue",
            "nsfs",
            "proc",
            "pstore",
            "rpc_pipefs",
            "securityfs",
            "selinuxfs",
            "smackfs",
            "sysfs",
            "tracefs");

    private static final int POINT = 4;
    private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");

    /** Of the lines of mountinfo (proc(5)). */
    static HostMounts of(List<String> lines) {
        List<Point> points = new ArrayList<>();
        for (String line : lines) {
            int dash = line.indexOf(" - ");
            String[] fields = line.split(" ", -1);
            if (dash > 0) {
                String type = line.substring(dash + 3).split(" ", 2)[0];
                points.add(new Point(unescaped(fields[POINT]), TYPES.contains(type)));
            }
        }
        return new HostMounts(List.copyOf(points));
    }

    /** The kernel writes blanks as octal numbers, and other bytes as they are. */
    private static String unescaped(String field) {
        String plain = ESCAPE.matcher(field)
                .replaceAll(
                        found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 8))));
        return new String(plain.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** Paths in or below these on which data is mounted, or between one of them and {@code top}. */
    SortedSet<String> below(Collection<String> paths, String top) {
        SortedSet<String> found = new TreeSet<>();
        for (Point point : points) {
            boolean between = RootLayout.isBelow(point.path, top);
            boolean wanted = paths.stream()
                    .anyMatch(path ->
                            RootLayout.isBelow(point.path, path) || (between && RootLayout.isBelow(path, point.path)));
            if (wanted && !point.kernel) {
                found.add(point.path);
            }
        }
        return found;
    }

    /** One of the kernel's own that a bind of this path would show: the path is in it, or has it below; null when there is none. */
    @Nullable
    String kernelShownBy(Path source) {
        String path = source.toString();
        Point around = null;
        for (Point point : points) {
            if (point.kernel && RootLayout.isBelow(point.path, path)) {
                return point.path;
            }
            if (RootLayout.isBelow(path, point.path)
                    && (around == null || point.path.length() >= around.path.length())) {
                around = point;
            }
        }
        return around != null && around.kernel ? around.path : null;
    }
}
