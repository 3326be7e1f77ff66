package dev.cordon.cgroup;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and writes of cgroup files. Streams of {@link Files} are used, not channels: a channel closes itself under an
 * interrupted thread, and a cancelled job must still be killed and removed.
 */
public final class CgroupFile {

    /** More than any file here that is shown in one piece. */
    private static final int ONE_PIECE = 4096;

    /** The mask of this process never changes. */
    private static final boolean KEPT_TO_ITSELF = (mask() & 055) != 0;

    private CgroupFile() {}

    private static int mask() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith("Umask:"))
                    .map(line -> Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).strip(), 8))
                    .findFirst()
                    .orElse(077);
        } catch (IOException e) {
            return 077; // unknown: each is opened then
        }
    }

    /** One write(2): the kernel takes a value whole or refuses it. */
    public static void write(Path file, String value) throws CgroupException {
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
            out.write(value.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException refused) {
            throw CgroupException.of("write " + value + " to", file, value, refused);
        }
    }

    /** Writes a value and checks that the kernel shows the same. */
    public static void set(Path file, String value) throws CgroupException {
        String shown = writeAndRead(file, value);
        if (!shown.equals(value)) {
            throw CgroupException.notTaken(file, value, shown);
        }
    }

    /** Writes a number of bytes. The kernel rounds it down to whole pages, of 64 KiB at most; it must never be more. */
    public static void setBytes(Path file, long bytes) throws CgroupException {
        String shown = writeAndRead(file, Long.toString(bytes));
        // "max" is not a number, and no limit.
        long lost = bytes - parse(shown).orElse(Long.MAX_VALUE);
        if (lost < 0 || lost >= 1 << 16) {
            throw CgroupException.notTaken(file, Long.toString(bytes), shown);
        }
    }

    /** Opened once for both, which every start of a job does for several files; whatever fails is told by doing it one by one. */
    private static String writeAndRead(Path path, String value) throws CgroupException {
        try (RandomAccessFile both = new RandomAccessFile(existing(path), "rw")) {
            both.write(value.getBytes(StandardCharsets.US_ASCII));
            both.seek(0);
            byte[] bytes = new byte[ONE_PIECE];
            return line(bytes, both.read(bytes));
        } catch (IOException refused) {
            write(path, value);
            return read(path);
        }
    }

    /** Opening it for both would make a file that is not there, where this is not a cgroup. */
    private static File existing(Path path) throws FileNotFoundException {
        File file = path.toFile();
        if (!file.exists()) {
            throw new FileNotFoundException(path.toString());
        }
        return file;
    }

    /** A short file, without its last newline. */
    public static String read(Path file) throws CgroupException {
        Optional<String> there = readIfThere(file);
        if (there.isPresent()) {
            return there.get();
        }
        try {
            return head(file); // which says why it cannot be read
        } catch (IOException unreadable) {
            throw CgroupException.of("read", file, "", unreadable);
        }
    }

    /** A short file that not every kernel has. */
    public static Optional<String> readIfThere(Path file) {
        // This stream opens in two thirds of the time that one of Files takes.
        try (InputStream in = new FileInputStream(file.toString())) {
            return Optional.of(head(in));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** The value of a {@code key value} line. */
    public static OptionalLong number(String text, String key) {
        for (int line = 0; line < text.length(); ) {
            int end = text.indexOf('\n', line);
            int next = end < 0 ? text.length() : end;
            if (text.startsWith(key, line) && text.startsWith(" ", line + key.length())) {
                return parse(text.substring(line + key.length() + 1, next));
            }
            line = next + 1;
        }
        return OptionalLong.empty();
    }

    /** A file of any length, as {@code cgroup.procs}. */
    public static String readAll(Path file) throws CgroupException {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (IOException unreadable) {
            throw CgroupException.of("read", file, "", unreadable);
        }
    }

    /** Jobs read what is in theirs, under an id of their own: a mask of a service that keeps what it makes to itself does not count. */
    public static void makeDirectory(Path directory) throws CgroupException {
        try {
            Files.createDirectory(directory);
            if (KEPT_TO_ITSELF) {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (IOException refused) {
            throw CgroupException.of("make", directory, "", refused);
        }
    }

    public static void makeDirectoryIfAbsent(Path directory) throws CgroupException {
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException present) {
            // Of another control plane on this host, or of an earlier one: they share the parent.
        } catch (IOException refused) {
            throw CgroupException.of("make", directory, "", refused);
        }
    }

    /** Whether the directory is gone. The kernel removes a cgroup only when nothing lives in it or below it. */
    public static boolean removeDirectory(Path directory) {
        try {
            Files.delete(directory);
            return true;
        } catch (NoSuchFileException gone) {
            return true;
        } catch (IOException busy) {
            return false;
        }
    }

    /** The one number in a text. */
    public static OptionalLong parse(String text) {
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text.strip()));
        } catch (NumberFormatException other) {
            return OptionalLong.empty();
        }
    }

    private static String head(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return head(in);
        }
    }

    private static String head(InputStream in) throws IOException {
        byte[] bytes = new byte[ONE_PIECE];
        return line(bytes, in.read(bytes));
    }

    private static String line(byte[] bytes, int read) {
        int length = Math.max(read, 0);
        int end = length > 0 && bytes[length - 1] == '\n' ? length - 1 : length;
        return new String(bytes, 0, end, StandardCharsets.US_ASCII);
    }
}
