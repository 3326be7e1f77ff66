package dev.cordon.plan.planner;

import dev.cordon.plan.RootStep;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The operations while they are gathered, in order, with what is known to exist by then. */
public final class RootLayout {
    private final List<RootStep> operations = new ArrayList<>();
    private final Set<String> present = new HashSet<>(Set.of("/"));

    void add(RootStep operation) {
        operations.add(operation);
        if (!(operation instanceof RootStep.Landlock)) {
            present.add(operation.path());
        }
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
        return List.copyOf(operations);
    }
}
