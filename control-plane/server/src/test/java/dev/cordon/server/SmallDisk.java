package dev.cordon.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A small file system of its own below one directory of one service, and below nothing else: it is mounted in a mount namespace that the
 * service alone is in, and ends with it. From outside it is reached through the process.
 *
 * @param place the directory
 */
record SmallDisk(Path place) {
    private static final int PIECE = 4096;

    /** Mounts it over a copy of what is there, then becomes the program that follows. */
    private static final String MOUNTED = "cp -a \"$1\" \"$1.was\" && mount -t tmpfs -o size=\"$2\" small \"$1\""
            + " && cp -a \"$1.was/.\" \"$1\" && rm -r \"$1.was\" && shift 2 && exec \"$@\"";

    /** What comes before the service's own command line. A user who is not root is one in a user namespace, until it is mounted. */
    List<String> before(String size) throws IOException {
        Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Object gid = Files.getAttribute(Path.of("/proc/self"), "unix:gid");
        return uid.equals(0)
                ? List.of(
                        "unshare",
                        "--mount",
                        "--propagation",
                        "private",
                        "sh",
                        "-c",
                        MOUNTED,
                        "sh",
                        place.toString(),
                        size)
                : List.of(
                        "unshare",
                        "--map-root-user",
                        "--mount",
                        "sh",
                        "-c",
                        MOUNTED,
                        "sh",
                        place.toString(),
                        size,
                        "unshare",
                        "--user",
                        "--map-user=" + uid,
                        "--map-group=" + gid);
    }

    /** Its directory as the service sees it. */
    Path seenBy(ServeProcess service) {
        return Path.of("/proc/" + service.handle().pid() + "/root" + place);
    }

    /** Writes until nothing more fits. */
    void fill(ServeProcess service) throws IOException {
        byte[] piece = new byte[PIECE];
        try (OutputStream ballast = Files.newOutputStream(ballast(service))) {
            while (true) {
                ballast.write(piece);
            }
        } catch (IOException full) {
            if (Files.getFileStore(seenBy(service)).getUsableSpace() > 0) {
                throw full;
            }
        }
    }

    void empty(ServeProcess service) throws IOException {
        Files.delete(ballast(service));
    }

    private Path ballast(ServeProcess service) {
        return seenBy(service).resolve("ballast");
    }
}
