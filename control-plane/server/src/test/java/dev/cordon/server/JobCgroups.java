package dev.cordon.server;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Control groups of jobs. They are told by the service that made them: those that were opened ahead of a job do not carry its id.
 */
public final class JobCgroups {
    private JobCgroups() {}

    /** Whether jobs get control groups here: root does, everybody else by delegation only. */
    public static boolean expected() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /** Those that services with these process ids made. Those of others come and go meanwhile. */
    public static List<Path> of(Collection<Long> services) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(Path.of("/sys/fs/cgroup"), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes facts) {
                String name = path.getFileName().toString();
                if (services.stream().anyMatch(pid -> name.matches("[0-9a-f]{8}-[0-9]+-" + pid + "-.*"))) {
                    found.add(path);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException gone) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, @Nullable IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
