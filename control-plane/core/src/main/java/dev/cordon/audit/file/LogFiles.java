package dev.cordon.audit.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The names of the files in a log's directory.
 *
 * @param directory the directory, which has nothing but the log
 */
public record LogFiles(Path directory) {
    private static final int OTHERS_WRITE = 022;
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** Makes the directory, or checks that nobody else may change it; an operator may let others read. */
    public void prepare() throws IOException {
        Path parent = directory.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            Map<String, Object> facts = Files.readAttributes(directory, "unix:uid,mode,isDirectory");
            if (!Boolean.TRUE.equals(facts.get("isDirectory"))
                    || !uid.equals(facts.get("uid"))
                    || !(facts.get("mode") instanceof Integer mode)
                    || (mode & OTHERS_WRITE) != 0) {
                throw new IOException("it is not a directory of uid " + uid + " that only this user may write", e);
            }
        }
    }

    public static String boot() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }

    public Path head() {
        return directory.resolve("audit.head");
    }

    public Path lock() {
        return directory.resolve("audit.lock");
    }

    public Path segment(long first) {
        return directory.resolve(String.format(Locale.ROOT, "audit-%012d.jsonl", first));
    }

    /** The sequence number of a file's first record, which is in its name. */
    public static long first(Path file) {
        return Long.parseLong(name(file).replaceAll("[^0-9]", ""));
    }

    /** The files of records, the oldest first. */
    public List<Path> segments() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(file -> name(file).matches("audit-[0-9]{12,18}\\.jsonl"))
                    .sorted()
                    .toList();
        }
    }

    public static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    public static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.<OpenOption>of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PRIVATE);
    }

    /** Makes new names in the directory last. */
    public void sync() throws IOException {
        try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }
}
