package dev.cordon.cgroup.host;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupMount;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.CgroupSupport.Legacy;
import dev.cordon.cgroup.CgroupSupport.None;
import dev.cordon.cgroup.DetectionView;
import dev.cordon.cgroup.v2.UnifiedDetection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides between v2, v1 and nothing. Reads only. */
final class CgroupDetection {

    /** What a hierarchy must offer at least one of to be worth the trouble. */
    private static final Set<CgroupController> LIMITING =
            Set.of(CgroupController.MEMORY, CgroupController.PIDS, CgroupController.CPU);

    private final DetectionView host;
    private final List<CgroupMount> mounts;

    CgroupDetection(DetectionView host) {
        this.host = host;
        this.mounts = CgroupMount.parse(host.lines("/proc/self/mountinfo"));
    }

    CgroupSupport decide() {
        Optional<CgroupMount> unified = unifiedMount();
        if (unified.isPresent() && limits(unified.get())) {
            return new UnifiedDetection(host, unified.get(), own(unified.get())).decide();
        }
        Map<CgroupController, CgroupMount> legacy = legacyMounts();
        if (!legacy.isEmpty()) {
            return legacy(legacy, unified);
        }
        if (unified.isPresent()) {
            return new None(
                    "the cgroup2 tree at " + unified.get().point() + " offers no memory, pids or cpu controller",
                    "enable the controllers in the kernel's command line, or in the container that this runs in");
        }
        return new None(
                "no cgroup hierarchy is mounted",
                "mount cgroup2 at /sys/fs/cgroup, as systemd and most init systems do at boot");
    }

    private CgroupSupport legacy(Map<CgroupController, CgroupMount> mounted, Optional<CgroupMount> unified) {
        Map<CgroupController, Path> hierarchies = new EnumMap<>(CgroupController.class);
        mounted.forEach((controller, mount) -> {
            Path directory = host.at(mount.point());
            if (host.canWrite(directory)) {
                hierarchies.put(controller, directory);
            }
        });
        if (LIMITING.stream().noneMatch(hierarchies::containsKey)) {
            return new None(
                    "the controllers are bound to cgroup v1 hierarchies, which only root can use",
                    "run as root, or boot with systemd.unified_cgroup_hierarchy=1 and run in a unit with Delegate=yes");
        }
        return new Legacy(
                hierarchies, unified.map(mount -> host.at(mount.point())).filter(host::canWrite));
    }

    private boolean limits(CgroupMount unified) {
        return !CgroupController.among(
                        UnifiedDetection.words(host.at(unified.point()).resolve("cgroup.controllers")), LIMITING)
                .isEmpty();
    }

    /** The first mount of the tree; one that shows our own cgroup goes first. */
    private Optional<CgroupMount> unifiedMount() {
        List<CgroupMount> all = mounts.stream().filter(CgroupMount::v2).toList();
        return all.stream()
                .filter(mount -> own(mount).isPresent())
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    private Map<CgroupController, CgroupMount> legacyMounts() {
        Map<CgroupController, CgroupMount> found = new EnumMap<>(CgroupController.class);
        for (CgroupMount mount : mounts) {
            if (!mount.v2()) {
                CgroupController.among(mount.options(), CgroupController.OF_V1)
                        .forEach(controller -> found.putIfAbsent(controller, mount));
            }
        }
        return found;
    }

    /** Our own cgroup in the v2 tree: the line "0::<path>" of /proc/self/cgroup. */
    private Optional<Path> own(CgroupMount mount) {
        return host.lines("/proc/self/cgroup").stream()
                .filter(line -> line.startsWith("0::"))
                .findFirst()
                .flatMap(line -> mount.locate(line.substring(3)))
                .map(host::at)
                .filter(Files::isDirectory);
    }
}
