package dev.cordon.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The other programs of the comparison, where the host has them. */
final class RivalPrograms {
    static final String TRUE = "/bin/true";

    private static final List<String> ROOTS = List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64");

    private RivalPrograms() {}

    /** As the shell would find it; administrators' programs too, which the path of a user lacks. */
    static Optional<Path> find(String name, Map<String, String> environment) {
        String path = environment.getOrDefault("PATH", "") + ":/usr/bin:/usr/sbin:/sbin";
        for (String directory : path.split(":", -1)) {
            Path candidate = Path.of(directory.isEmpty() ? "." : directory, name);
            if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** A jail with the contents of Cordon's: the host's programs, /proc, /dev, an empty /tmp. No filter, no limits. */
    static List<String> bwrap(Path program) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--unshare-all"));
        for (String root : ROOTS) {
            Path path = Path.of(root);
            if (Files.isSymbolicLink(path)) {
                command.addAll(List.of("--symlink", Files.readSymbolicLink(path).toString(), root));
            } else if (Files.isDirectory(path)) {
                command.addAll(List.of("--ro-bind", root, root));
            }
        }
        command.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", TRUE));
        return command;
    }

    /** The least that bwrap can be asked for: the host's own root, and nothing mounted afresh. */
    static List<String> leastBwrap(Path program) {
        return List.of(program.toString(), "--unshare-all", "--ro-bind", "/", "/", TRUE);
    }

    /** Runs a bundle, in a container of its own each time. */
    static Supplier<List<String>> runc(Path program, Path bundle) {
        AtomicLong number = new AtomicLong();
        String prefix = "cordon-bench-" + ProcessHandle.current().pid() + "-";
        return () ->
                List.of(program.toString(), "run", "--bundle", bundle.toString(), prefix + number.incrementAndGet());
    }

    /** A bundle that does the same. */
    static void writeBundle(Path bundle) throws IOException {
        Path root = Files.createDirectories(bundle.resolve("rootfs"));
        StringBuilder mounts = new StringBuilder();
        for (String name : ROOTS) {
            Path path = Path.of(name);
            if (Files.isSymbolicLink(path)) {
                Files.createSymbolicLink(root.resolve(name.substring(1)), Files.readSymbolicLink(path));
            } else if (Files.isDirectory(path)) {
                Files.createDirectory(root.resolve(name.substring(1)));
                mounts.append(
                        "{\"destination\":\"%s\",\"source\":\"%s\",\"type\":\"bind\",\"options\":[\"rbind\",\"ro\"]},"
                                .formatted(name, name));
            }
        }
        for (String name : List.of("proc", "dev", "tmp")) {
            Files.createDirectory(root.resolve(name));
        }
        Files.writeString(bundle.resolve("config.json"), """
            {"ociVersion":"1.0.2","process":{"user":{"uid":0,"gid":0},"args":["%s"],"env":[],"cwd":"/","noNewPrivileges":true},
            "root":{"path":"rootfs","readonly":true},
            "mounts":[%s{"destination":"/proc","type":"proc","source":"proc"},
            {"destination":"/dev","type":"tmpfs","source":"tmpfs","options":["nosuid","mode=755"]},
            {"destination":"/tmp","type":"tmpfs","source":"tmpfs","options":["nosuid","nodev"]}],
            "linux":{"namespaces":[{"type":"pid"},{"type":"network"},{"type":"ipc"},{"type":"uts"},{"type":"mount"}]}}
            """.formatted(TRUE, mounts), StandardCharsets.UTF_8);
    }

    /** A directory of our own, that nobody else can write to. */
    static Path directory(Path parent) throws IOException {
        return Files.createTempDirectory(
                parent,
                "cordon-bench",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}
