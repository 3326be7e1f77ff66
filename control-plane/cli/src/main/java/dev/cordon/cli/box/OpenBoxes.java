package dev.cordon.cli.box;

import dev.cordon.config.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The sandboxes that processes of this user hold open and let others reach: a socket for each, in a directory of the user's own below the
 * run directory. Nobody else can enter it, and each side looks at whom it talks to.
 */
public final class OpenBoxes {
    private static final String SUFFIX = ".sock";

    private final Path directory;

    public OpenBoxes(Config config) {
        this.directory = config.runDirectory().resolve("boxes");
    }

    /** Makes the directory, or checks that it is this user's own. */
    Path prepared() throws IOException {
        Path parent = directory.getParent();
        if (parent == null || !Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(directory.toString());
        }
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        Map<String, Object> facts =
                Files.readAttributes(directory, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
        boolean ours = Boolean.TRUE.equals(facts.get("isDirectory"))
                && facts.get("uid") instanceof Integer owner
                && owner == uid()
                && facts.get("mode") instanceof Integer mode
                && (mode & 077) == 0;
        if (!ours) {
            throw new IOException(directory + " is not this user's own; remove it");
        }
        return directory;
    }

    static int uid() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer uid ? uid : -1;
    }

    Path socket(String id) {
        return directory.resolve(id + SUFFIX);
    }

    /** The ids of those that have a socket; its holder may be gone. */
    public List<String> ids() throws IOException {
        try (Stream<Path> entries = Files.list(prepared())) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith("box_") && name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
