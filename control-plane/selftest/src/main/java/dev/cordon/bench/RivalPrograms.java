package dev.cordon.bench;

import dev.cordon.json.JsonMembers;
import java.io.IOException;
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
    private static final List<String> NAMESPACES = List.of("pid", "network", "ipc", "uts", "mount");

    /** A mount of the bundle, as the OCI runtime specification has it. */
    private record BundleMount(String destination, String type, String source, List<String> options) {}

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
        List<BundleMount> mounts = new ArrayList<>();
        for (String name : ROOTS) {
            Path path = Path.of(name);
            if (Files.isSymbolicLink(path)) {
                Files.createSymbolicLink(root.resolve(name.substring(1)), Files.readSymbolicLink(path));
            } else if (Files.isDirectory(path)) {
                Files.createDirectory(root.resolve(name.substring(1)));
                mounts.add(new BundleMount(name, "bind", name, List.of("rbind", "ro")));
            }
        }
        mounts.add(new BundleMount("/proc", "proc", "proc", List.of()));
        mounts.add(new BundleMount("/dev", "tmpfs", "tmpfs", List.of("nosuid", "mode=755")));
        mounts.add(new BundleMount("/tmp", "tmpfs", "tmpfs", List.of("nosuid", "nodev")));
        for (String name : List.of("proc", "dev", "tmp")) {
            Files.createDirectory(root.resolve(name));
        }
        Files.writeString(bundle.resolve("config.json"), JsonMembers.text(json -> bundle(json, mounts)));
    }

    private static void bundle(JsonMembers json, List<BundleMount> mounts) {
        json.put("ociVersion", "1.0.2");
        json.object("process", () -> {
            json.object("user", () -> json.put("uid", 0).put("gid", 0));
            json.strings("args", List.of(TRUE)).strings("env", List.of());
            json.put("cwd", "/").put("noNewPrivileges", true);
        });
        json.object("root", () -> json.put("path", "rootfs").put("readonly", true));
        json.objects(
                "mounts",
                mounts,
                mount -> json.put("destination", mount.destination())
                        .put("type", mount.type())
                        .put("source", mount.source())
                        .strings("options", mount.options()));
        json.object("linux", () -> json.objects("namespaces", NAMESPACES, name -> json.put("type", name)));
    }

    /** A directory of our own, that nobody else can write to. */
    static Path directory(Path parent) throws IOException {
        return Files.createTempDirectory(
                parent,
                "cordon-bench",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}
