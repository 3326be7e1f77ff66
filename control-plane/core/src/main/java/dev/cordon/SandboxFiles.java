package dev.cordon;

import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.engine.FileAccess;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.flow.SandboxClock;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.ArchiveLimits;
import dev.cordon.result.ArchiveSummary;
import dev.cordon.result.FileEntry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The files of a sandbox, while its jobs run. Paths are those inside: below /workspace, which relative ones begin at, or /tmp. The
 * sandbox's own init resolves them and follows no link anywhere, so that nothing a job puts in the way leads out of the sandbox; what
 * comes out are regular files and permission bits, whatever the job made. All methods throw {@link SandboxFileException} with the path and
 * the reason.
 *
 * <p>Names are any bytes; see {@link FileEntry#path} for how text stands for them.
 */
public final class SandboxFiles {
    /** The largest file that {@link #get} takes into memory. */
    public static final ByteSize MOST_IN_MEMORY = ByteSize.mib(64);

    private static final int COMMON_MODE = 0644;
    private static final int DIRECTORY_MODE = 0755;

    private final FileAccess access;
    private final SandboxPaths paths;
    private final SandboxClock clock;

    SandboxFiles(FileAccess access, SandboxPaths paths, SandboxClock clock) {
        this.access = access;
        this.paths = paths;
        this.clock = clock;
    }

    /** Something done with a file, by its path as the engine takes it. */
    @FunctionalInterface
    interface Action<T> {
        T run(String inside) throws IOException;
    }

    private <T> T with(String path, Action<T> action) throws IOException {
        clock.touch();
        String inside = paths.inside(path);
        try {
            return action.run(inside);
        } catch (SandboxFileException e) {
            throw e;
        } catch (IOException e) {
            throw SandboxFileException.of(path, e);
        }
    }

    /** Writes a file, replacing one that is there; directories above it are made. */
    public void put(String path, byte[] content) throws IOException {
        put(path, new ByteArrayInputStream(content), COMMON_MODE);
    }

    /**
     * Writes a file from a stream, replacing one that is there; directories above it are made. When the stream breaks off, or the file has
     * no room, no part of it stays, and what was there does. Room for both is needed meanwhile.
     *
     * @param mode permission bits, at most 0777
     * @return how many bytes
     */
    public long put(String path, InputStream content, int mode) throws IOException {
        return writing(path, mode, inside -> access.put(inside, mode, content));
    }

    /** A file to write; it is complete when it was closed without an exception. */
    public OutputStream create(String path, int mode) throws IOException {
        return writing(path, mode, inside -> access.write(inside, mode));
    }

    private <T> T writing(String path, int mode, Action<T> action) throws IOException {
        if ((mode & ~0777) != 0) {
            throw new IllegalArgumentException(
                    "mode 0" + Integer.toOctalString(mode) + " is not within 0777; a sandbox has no setuid files");
        }
        return with(path, inside -> {
            try {
                return action.run(inside);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EISDIR) {
                    throw e;
                }
                throw new SandboxFileException(
                        path, e.errnoName(), "is a directory; name a file in it, or delete it before");
            }
        });
    }

    /** A file's content, up to {@link #MOST_IN_MEMORY}. */
    public byte[] get(String path) throws IOException {
        try (InputStream in = open(path)) {
            byte[] content = in.readNBytes((int) MOST_IN_MEMORY.bytes());
            if (in.read() >= 0) {
                throw new SandboxFileException(
                        path, "", "is larger than " + MOST_IN_MEMORY + "; read it as a stream (open)");
            }
            return content;
        }
    }

    /**
     * A file's content as a stream, of the size that it had when it was opened. One that is cut short meanwhile gives what was there, and
     * then an exception.
     */
    public InputStream open(String path) throws IOException {
        return openSized(path);
    }

    OpenedFile openSized(String path) throws IOException {
        return with(path, inside -> new OpenedFile(path, access.read(inside)));
    }

    /** What is at a path; a link is itself. */
    public FileEntry stat(String path) throws IOException {
        return with(path, inside -> paths.outside(access.stat(inside)));
    }

    /**
     * A directory's entries, in its own order. They are read as the stream is taken, so that any number of them takes little memory. Close
     * the stream; it throws {@link UncheckedIOException}.
     */
    public Stream<FileEntry> list(String directory) throws IOException {
        DirectoryListing listing = with(directory, access::list);
        return StreamSupport.stream(new Entries(directory, listing), false)
                .map(paths::outside)
                .onClose(listing::close);
    }

    /** Takes a listing apart; closes it at its end. */
    private static final class Entries extends Spliterators.AbstractSpliterator<FileEntry> {
        private final String directory;
        private final DirectoryListing listing;
        private Iterator<FileEntry> some = List.<FileEntry>of().iterator();
        private boolean over;

        Entries(String directory, DirectoryListing listing) {
            super(Long.MAX_VALUE, NONNULL);
            this.directory = directory;
            this.listing = listing;
        }

        @Override
        public boolean tryAdvance(Consumer<? super FileEntry> action) {
            try {
                while (!some.hasNext() && !over) {
                    List<FileEntry> more = listing.next();
                    over = more.isEmpty();
                    some = more.iterator();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(SandboxFileException.of(directory, e));
            }
            if (over) {
                listing.close();
                return false;
            }
            action.accept(some.next());
            return true;
        }
    }

    /** Removes a file, a link or a whole directory; what a link leads to stays. */
    public void delete(String path) throws IOException {
        with(path, inside -> {
            paths.requireBelow(path, inside);
            access.remove(inside);
            return true;
        });
    }

    /** Makes a directory, and those above it; nothing happens when it is there. */
    public void mkdir(String path) throws IOException {
        with(path, inside -> {
            access.mkdir(inside, DIRECTORY_MODE);
            return true;
        });
    }

    /**
     * Unpacks a tar archive below a directory, which is made. Regular files and directories alone; the first entry that is something else,
     * leads out, or passes a limit ends it with an exception that names the entry, and what came before it stays.
     */
    public ArchiveSummary putArchive(String directory, InputStream tar, ArchiveLimits limits) throws IOException {
        return new SandboxArchiver(this).unpack(directory, tar, limits);
    }

    /**
     * Packs a file or a directory, with all below it, as a tar archive. Its entries are named from the last part of the path on. What is
     * neither file nor directory is left out and told.
     */
    public ArchiveSummary getArchive(String path, OutputStream tar) throws IOException {
        return new SandboxArchiver(this).pack(path, tar);
    }
}
