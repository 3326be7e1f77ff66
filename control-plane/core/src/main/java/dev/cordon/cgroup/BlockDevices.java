package dev.cordon.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the disks below host paths, for {@code io.max}: whole disks, because the kernel throttles no partition. A file system that has no
 * disk of this host below it (a network file system, an overlay) is an error: a rate could not be held there.
 */
public final class BlockDevices {
    /** File systems in memory: what they hold is the job's memory, and no disk is read or written. */
    private static final Set<String> IN_MEMORY = Set.of(
            "tmpfs",
            "ramfs",
            "proc",
            "sysfs",
            "devtmpfs",
            "devpts",
            "mqueue",
            "cgroup",
            "cgroup2",
            "bpf",
            "tracefs",
            "debugfs",
            "securityfs",
            "pstore",
            "efivarfs",
            "configfs",
            "fusectl",
            "hugetlbfs",
            "autofs",
            "binfmt_misc",
            "rpc_pipefs",
            "selinuxfs",
            "nsfs");

    private record Mount(Path point, String device, String type, String source) {}

    private final Path devices;
    private final List<Mount> mounts = new ArrayList<>();

    /**
     * The disks of a host.
     *
     * @param devices   /sys/dev/block
     * @param mountinfo the lines of /proc/self/mountinfo
     */
    BlockDevices(Path devices, List<String> mountinfo) {
        this.devices = devices;
        mountinfo.forEach(this::add);
    }

    /** The disks of this host, as they are now. */
    public static BlockDevices ofThisHost() throws IOException {
        return new BlockDevices(Path.of("/sys/dev/block"), Files.readAllLines(Path.of("/proc/self/mountinfo")));
    }

    /** Format: proc_pid_mountinfo(5). */
    private void add(String line) {
        String[] halves = line.split(" - ", 2);
        String[] mount = halves[0].split(" ", -1);
        String[] filesystem = halves.length < 2 ? new String[0] : halves[1].split(" ", 3);
        if (mount.length >= 6 && filesystem.length >= 2) {
            Path point = Path.of(CgroupMount.unescape(mount[4]));
            mounts.add(new Mount(point, mount[2], filesystem[0], CgroupMount.unescape(filesystem[1])));
        }
    }

    /**
     * The disks below these paths and whatever is mounted beneath them, each as {@code major:minor}.
     *
     * @throws IOException when there is none to be found for one of them; the message names the path
     */
    public Set<String> below(Collection<Path> paths) throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path path : paths) {
            Path real = path.toRealPath();
            for (Mount mount : seenBelow(real)) {
                if (!IN_MEMORY.contains(mount.type)) {
                    found.add(wholeDisk(mount, path));
                }
            }
        }
        return found;
    }

    /** The mount that a path lies on, the last of those with the longest mount point; and all that is mounted beneath the path. */
    private Set<Mount> seenBelow(Path path) {
        Set<Mount> seen = new LinkedHashSet<>();
        Mount on = null;
        for (Mount mount : mounts) {
            if (path.startsWith(mount.point) && (on == null || mount.point.getNameCount() >= on.point.getNameCount())) {
                on = mount;
            } else if (mount.point.startsWith(path)) {
                seen.add(mount);
            }
        }
        if (on != null) {
            seen.add(on);
        }
        return seen;
    }

    private String wholeDisk(Mount mount, Path path) throws IOException {
        String number = mount.device;
        if (!Files.exists(devices.resolve(number))) {
            // Such as btrfs: the file system has a number of its own, its disk is the source of the mount.
            number = numberOf(mount, path);
        }
        Path device = devices.resolve(number).toRealPath();
        Path parent = device.getParent();
        return Files.exists(device.resolve("partition")) && parent != null
                ? Files.readString(parent.resolve("dev")).strip()
                : number;
    }

    private String numberOf(Mount mount, Path path) throws IOException {
        if (mount.source.startsWith("/dev/") && Files.exists(Path.of(mount.source))) {
            long number = (long) Files.getAttribute(Path.of(mount.source), "unix:rdev");
            String text = major(number) + ":" + minor(number);
            if (Files.exists(devices.resolve(text))) {
                return text;
            }
        }
        throw new IOException(
                path + " lies on " + mount.point + " (" + mount.type + "), below which there is no disk of this host");
    }

    /** The kernel's numbers as the C library packs them into 64 bits, see makedev(3). */
    private static long major(long device) {
        return ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
    }

    private static long minor(long device) {
        return (device & 0xff) | ((device >>> 12) & ~0xffL);
    }
}
