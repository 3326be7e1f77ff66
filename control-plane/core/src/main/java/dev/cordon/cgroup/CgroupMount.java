package dev.cordon.cgroup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A mounted cgroup hierarchy, from a line of /proc/self/mountinfo.
 *
 * @param root the cgroup that is seen at the mount point; "/" unless in a container
 * @param point the mount point
 * @param v2 whether it is the unified hierarchy
 * @param options of the file system: the controllers of a v1 hierarchy among them
 */
public record CgroupMount(String root, String point, boolean v2, Set<String> options) {

    public static List<CgroupMount> parse(List<String> mountinfo) {
        List<CgroupMount> mounts = new ArrayList<>();
        for (String line : mountinfo) {
            parse(line).ifPresent(mounts::add);
        }
        return mounts;
    }

    /** Format: proc_pid_mountinfo(5). The optional fields before the lone dash are why it can't be split blindly. */
    private static Optional<CgroupMount> parse(String line) {
        String[] halves = line.split(" - ", 2);
        String[] mount = halves[0].split(" ", -1);
        if (halves.length < 2 || mount.length < 6) {
            return Optional.empty();
        }
        String[] filesystem = halves[1].split(" ", 3);
        boolean v2 = filesystem[0].equals("cgroup2");
        if (filesystem.length < 3 || !(v2 || filesystem[0].equals("cgroup"))) {
            return Optional.empty();
        }
        Set<String> options = new TreeSet<>(Arrays.asList(filesystem[2].split(",", -1)));
        return Optional.of(new CgroupMount(unescape(mount[3]), unescape(mount[4]), v2, options));
    }

    /** Where a cgroup, named as in /proc/self/cgroup, is seen; empty when it lies outside of what is mounted. */
    public Optional<String> locate(String cgroup) {
        String below;
        if (root.equals("/")) {
            below = cgroup;
        } else if (cgroup.equals(root) || cgroup.startsWith(root + "/")) {
            below = cgroup.substring(root.length());
        } else {
            return Optional.empty();
        }
        if (below.equals("/..") || below.startsWith("/../")) {
            return Optional.empty();
        }
        return Optional.of(below.equals("/") || below.isEmpty() ? point : point + below);
    }

    /** Blanks, tabs, newlines and backslashes are shown in octal. */
    static String unescape(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
