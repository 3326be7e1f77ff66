package dev.cordon.cgroup;

import dev.cordon.cgroup.host.CgroupHost;
import dev.cordon.fixture.FakeHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** A host whose control groups are plain files. Nothing in it may be written, until a test says so: root's tests see the same. */
public final class FakeCgroupHost {

    public static final String ALL = "cpuset cpu io memory hugetlb pids";
    private static final long PID = 4711;

    private final FakeHost host;
    private final Set<Path> writable = new HashSet<>();
    private final Set<Path> delegated = new HashSet<>();

    public FakeCgroupHost(Path root) {
        this.host = new FakeHost(root);
        file("/proc/self/stat", PID + " (java) S 1 1");
        file("/proc/self/mountinfo", "23 1 8:1 / / rw,relatime - ext4 /dev/vda1 rw");
        user(0);
    }

    public FakeCgroupHost user(long uid) {
        return file("/proc/self/status", "Name:\tjava\nUid:\t" + uid + "\t" + uid + "\t" + uid + "\t" + uid);
    }

    public FakeCgroupHost file(String path, String content) {
        try {
            host.file(path, content + "\n");
            return this;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public FakeCgroupHost mounts(String... lines) {
        return file(
                "/proc/self/mountinfo", "23 1 8:1 / / rw,relatime - ext4 /dev/vda1 rw\n" + String.join("\n", lines));
    }

    public FakeCgroupHost own(String... lines) {
        return file("/proc/self/cgroup", String.join("\n", lines));
    }

    /** A v2 cgroup with what it may use, what it hands down, and who is in it. */
    public FakeCgroupHost group(String path, String controllers, String handedDown, String processes) {
        return file(path + "/cgroup.controllers", controllers)
                .file(path + "/cgroup.subtree_control", handedDown)
                .file(path + "/cgroup.procs", processes);
    }

    /** The process that looks at this host is in this cgroup, and nobody else. */
    public FakeCgroupHost groupOfOurs(String path, String controllers) {
        return group(path, controllers, "", Long.toString(PID));
    }

    /** A directory and the files right below it. */
    public FakeCgroupHost writable(String... paths) {
        for (String path : paths) {
            writable.add(at(path));
        }
        return this;
    }

    public FakeCgroupHost delegated(String path) {
        delegated.add(at(path));
        return this;
    }

    public Path at(String absolute) {
        return host.at(absolute);
    }

    public CgroupSupport detect() {
        return CgroupHost.detect(new DetectionView(
                host.root(),
                path -> writable.contains(Files.isDirectory(path) ? path : path.getParent()),
                delegated::contains));
    }
}
