package dev.cordon.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Makes a directory of Cordon's own, or checks one that is there: the rootless one may lie in /tmp, where anybody can be first. Root's
 * may be entered by others, because {@code process} jobs work below it under ids of their own, but not listed or written.
 */
public final class RunDirectory {
    private static final int GROUP_AND_OTHERS = 077;
    private static final int GROUP_AND_OTHERS_WITHOUT_ENTERING = 066;

    private RunDirectory() {}

    /**
     * Makes the directory when it is missing, its parents too.
     *
     * @throws IOException when it is somebody else's or open to others; the message has the remedy
     */
    public static Path prepare(Path directory, long uid) throws IOException {
        Path parent = directory.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            Files.createDirectories(parent);
        }
        boolean root = uid == 0;
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            if (root) {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            }
        } catch (FileAlreadyExistsException e) {
            check(directory, uid, root ? GROUP_AND_OTHERS_WITHOUT_ENTERING : GROUP_AND_OTHERS);
        }
        return directory;
    }

    private static void check(Path directory, long uid, int forbidden) throws IOException {
        Map<String, Object> facts =
                Files.readAttributes(directory, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
        boolean ours = Boolean.TRUE.equals(facts.get("isDirectory"))
                && facts.get("uid") instanceof Integer owner
                && owner == uid
                && facts.get("mode") instanceof Integer mode
                && (mode & forbidden) == 0;
        if (!ours) {
            throw new IOException(directory + " is not a directory of uid " + uid
                    + " that is closed to others; remove it, or set paths.run to another place");
        }
    }
}
