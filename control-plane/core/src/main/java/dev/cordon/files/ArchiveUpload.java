package dev.cordon.files;

import dev.cordon.result.ArchiveLimits;
import dev.cordon.result.InvalidArchive;
import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarReader;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive for a sandbox, entry by entry, and takes nothing on trust: every path is relative and stays below where it is put, sizes
 * and counts stay within the limits whatever a pax header says, and anything but files and directories ends the reading with the entry's
 * name. Content is read between two entries.
 */
public final class ArchiveUpload {
    private static final int MOST_HEADER_BYTES = 64 * 1024;
    private static final int PERMISSIONS = 0777;

    /**
     * A file or a directory.
     *
     * @param path      relative, without empty, {@code .} or {@code ..} parts; empty for the place itself
     * @param directory whether it is a directory
     * @param bytes     a file's size
     * @param mode      permission bits, at most 0777
     */
    public record Entry(String path, boolean directory, long bytes, int mode) {}

    private final TarReader reader;
    private final ArchiveLimits limits;
    private long entries;
    private long bytes;

    /** Reads from a stream; the caller closes it. */
    public ArchiveUpload(InputStream in, ArchiveLimits limits) {
        this.reader = new TarReader(in, MOST_HEADER_BYTES, InvalidArchive::new);
        this.limits = limits;
    }

    /** The next entry; null at the end. What was not read of the one before is passed over. */
    public @Nullable Entry next() throws IOException {
        TarEntry entry = reader.next();
        if (entry == null) {
            return null;
        }
        boolean directory = isDirectory(entry);
        String path = path(entry.path());
        if (directory && entry.size() != 0) {
            throw new InvalidArchive(entry.path(), "is a directory with content", "make it anew");
        }
        count(entry);
        return new Entry(path, directory, entry.size(), entry.mode() & PERMISSIONS);
    }

    /** The content of the entry that was read last; ends with it. */
    public InputStream content() {
        return reader.content();
    }

    private static boolean isDirectory(TarEntry entry) throws InvalidArchive {
        return switch (entry.kind()) {
            case FILE -> false;
            case DIRECTORY -> true;
            case HARD_LINK -> throw refused(entry, "is a hard link");
            case SYMBOLIC_LINK -> throw refused(entry, "is a symbolic link");
            case DEVICE -> throw refused(entry, "is a device");
            case PIPE -> throw refused(entry, "is a named pipe");
        };
    }

    private static InvalidArchive refused(TarEntry entry, String what) {
        return new InvalidArchive(entry.path(), what, "only regular files and directories are taken");
    }

    private void count(TarEntry entry) throws InvalidArchive {
        if (++entries > limits.entries()) {
            throw new InvalidArchive(
                    entry.path(),
                    "is one more than the limit of " + limits.entries() + " entries",
                    "send fewer at a time");
        }
        if (entry.size() > limits.bytes().bytes() - bytes) {
            throw new InvalidArchive(
                    entry.path(),
                    "makes it more than the limit of " + limits.bytes() + " of content",
                    "send less at a time, or raise the limit");
        }
        bytes += entry.size();
    }

    private static String path(String raw) throws InvalidArchive {
        if (raw.startsWith("/")) {
            throw new InvalidArchive(raw, "has an absolute path", "use relative paths");
        }
        if (raw.isEmpty()) {
            throw new InvalidArchive(raw, "has an entry with an empty path", "make it anew");
        }
        StringBuilder path = new StringBuilder();
        for (String part : raw.split("/", -1)) {
            if (part.equals("..")) {
                throw new InvalidArchive(raw, "leads out by '..'", "use paths below one directory");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                path.append(path.isEmpty() ? "" : "/").append(part);
            }
        }
        return path.toString();
    }
}
