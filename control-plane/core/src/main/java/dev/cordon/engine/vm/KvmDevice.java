package dev.cordon.engine.vm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The device that QEMU's jail shows as /dev/kvm. The host's own belongs to a group that the jail's user is not in, and QEMU takes no open
 * descriptor for it. So root makes another node of the same device, open to all, in a directory that nobody but root gets into. A user
 * shows the host's: the groups that let the user open it stay with a jail that has the user's own id.
 */
final class KvmDevice {
    private static final Path HOST = Path.of("/dev/kvm");
    private static final long MINOR_BITS = 0xff;
    private static final long PATIENCE_SECONDS = 10;

    private KvmDevice() {}

    static Path source(Path store, boolean root) throws IOException {
        if (!root) {
            return HOST;
        }
        Path directory = store.resolve("devices");
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        Path node = directory.toRealPath().resolve("kvm");
        if (!device(HOST).equals(Files.exists(node, LinkOption.NOFOLLOW_LINKS) ? device(node) : null)) {
            Files.deleteIfExists(node);
            make(node);
        }
        return node;
    }

    private static Object device(Path node) throws IOException {
        return Files.getAttribute(node, "unix:rdev", LinkOption.NOFOLLOW_LINKS);
    }

    private static void make(Path node) throws IOException {
        long number = ((Number) device(HOST)).longValue();
        Process mknod = new ProcessBuilder(List.of(
                        "mknod",
                        "-m",
                        "0666",
                        node.toString(),
                        "c",
                        Long.toString(number >> 8 & 0xfff),
                        Long.toString(number & MINOR_BITS)))
                .redirectErrorStream(true)
                .start();
        try (var said = mknod.inputReader()) {
            String text = String.join(" ", said.lines().toList());
            if (!mknod.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || mknod.exitValue() != 0) {
                throw new IOException("no node of /dev/kvm for QEMU's jail: " + text);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a node of /dev/kvm was made", e);
        } finally {
            mknod.destroyForcibly();
        }
    }
}
