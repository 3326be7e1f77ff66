package dev.cordon.plan.planner;

import dev.cordon.plan.RootStep;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations while they are gathered, in order, with what is known to exist by then. */
public final class RootLayout {
    private static final String DEVICES = "/dev";

    private final List<RootStep> operations = new ArrayList<>();
    private final Set<String> present = new HashSet<>(Set.of("/"));
    private final Set<String> files = new HashSet<>();
    private RootStep.@Nullable Bind image;

    void add(RootStep operation) {
        operations.add(operation);
        if (!(operation instanceof RootStep.Landlock)) {
            present.add(operation.path());
        }
    }

    /** All that is made lies over an image, and all that is mounted on both. */
    void layBelow(RootStep.Bind whole) {
        image = whole;
    }

    /** What is going to be mounted there is a file. */
    void file(String path) {
        files.add(path);
    }

    /** Directories above a path that are not there yet. */
    void parents(String path) {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            directory(path.substring(0, slash));
        }
    }

    /** A directory, unless something is there. */
    void directory(String path) {
        if (!present.contains(path)) {
            add(new RootStep.Directory(path, 0755));
        }
    }

    /** What stands at a path or above it so that nothing can be put there: a host's bind, a link, or a file. */
    Optional<RootStep> obstacle(String path) {
        return operations.stream()
                .filter(operation -> switch (operation) {
                    case RootStep.Bind bind -> isBelow(path, bind.path());
                    case RootStep.Symlink link -> isBelow(path, link.path());
                    case RootStep.TextFile file -> isBelow(path, file.path()) && !path.equals(file.path());
                    default -> false;
                })
                .findFirst();
    }

    public static boolean isBelow(String path, String parent) {
        int length = parent.length();
        return path.startsWith(parent)
                && (path.length() == length || parent.charAt(length - 1) == '/' || path.charAt(length) == '/');
    }

    List<RootStep> operations() {
        return image == null ? List.copyOf(operations) : over(image);
    }

    /** With an image below it the root is read-only: every place on which something is mounted is made before that. */
    private List<RootStep> over(RootStep.Bind whole) {
        List<RootStep> made = new ArrayList<>();
        List<RootStep> mounted = new ArrayList<>();
        Set<String> mounts = new HashSet<>();
        for (RootStep step : operations) {
            boolean below = mounts.stream().anyMatch(mount -> isBelow(step.path(), mount));
            switch (step) {
                case RootStep.Symlink link
                when isBelow(link.path(), DEVICES) -> {
                    made.add(link);
                    mounted.add(link); // what is mounted on /dev covers it, where the nodes are the jail's own
                }
                case RootStep.Directory _, RootStep.TextFile _, RootStep.Symlink _ ->
                    (below ? mounted : made).add(step);
                case RootStep.Bind _, RootStep.Tmpfs _, RootStep.Proc _, RootStep.Devpts _, RootStep.Device _ -> {
                    if (!below && made.stream().noneMatch(there -> there.path().equals(step.path()))) {
                        made.add(place(step));
                    }
                    mounts.add(step.path());
                    mounted.add(step);
                }
                case RootStep.Cgroups _,
                        RootStep.Sysctl _,
                        RootStep.Mask _,
                        RootStep.ReadOnly _,
                        RootStep.Seal _,
                        RootStep.Landlock _ -> mounted.add(step);
            }
        }
        made.add(whole);
        made.addAll(mounted);
        return List.copyOf(made);
    }

    private RootStep place(RootStep mount) {
        return mount instanceof RootStep.Device || files.contains(mount.path())
                ? new RootStep.TextFile(mount.path(), 0444, "")
                : new RootStep.Directory(mount.path(), 0755);
    }
}
