package dev.cordon.engine.file;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.value.DirectoryEntry;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.FileStatus;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.FileEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists a directory of a sandbox on this host through a descriptor that init opened. Nothing is opened by name and no link is followed:
 * each name is looked at where it is.
 */
public final class HostListing implements DirectoryListing {
    private static final int TYPE = 0170000;

    private final Kernel kernel;
    private final Fd directory;
    private final String path;

    public HostListing(Kernel kernel, Fd directory, String path) {
        this.kernel = kernel;
        this.directory = directory;
        this.path = path;
    }

    @Override
    public List<FileEntry> next() throws ErrnoException {
        List<FileEntry> entries = new ArrayList<>();
        while (entries.isEmpty()) {
            List<DirectoryEntry> names = kernel.readDirectory(directory);
            if (names.isEmpty()) {
                return entries;
            }
            for (DirectoryEntry name : names) {
                look(name, entries);
            }
        }
        return entries;
    }

    private void look(DirectoryEntry entry, List<FileEntry> entries) throws ErrnoException {
        FileStatus status;
        try {
            status = kernel.statusAt(directory, entry.name());
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return; // gone meanwhile
            }
            if (e.errno() != Errno.EACCES) {
                throw e;
            }
            // Rootless, the directory may be closed to this process: its own word has to do.
            status = new FileStatus(entry.type(), 0, Instant.EPOCH);
        }
        entries.add(entry(path + "/" + entry.name(), status.mode(), status.bytes(), status.modified()));
    }

    public static FileEntry entry(String path, int mode, long bytes, Instant modified) {
        return new FileEntry(path, kind(mode), ByteSize.bytes(bytes), modified, mode & 0777);
    }

    private static FileEntry.Kind kind(int mode) {
        return switch (mode & TYPE) {
            case 0100000 -> FileEntry.Kind.FILE;
            case 0040000 -> FileEntry.Kind.DIRECTORY;
            case 0120000 -> FileEntry.Kind.LINK;
            default -> FileEntry.Kind.OTHER;
        };
    }

    @Override
    public void close() {
        directory.close();
    }
}
