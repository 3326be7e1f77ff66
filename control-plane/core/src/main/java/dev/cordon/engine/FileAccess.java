package dev.cordon.engine;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.reply.Filed;
import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileAnswer;
import dev.cordon.engine.file.FileContent;
import dev.cordon.engine.file.HostListing;
import dev.cordon.result.FileEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The files of a sandbox, through its init: that resolves every path inside, follows no link, opens regular files only, and hands out
 * descriptors. Paths here are absolute, as the sandbox sees them. What fails does so with an {@link ErrnoException}, or with an
 * {@link IOException} when the sandbox is gone.
 */
public final class FileAccess {
    private static final int DIRECTORY_MODE = 0755;
    private static final String PART = ".cordon-part-";
    private static final AtomicLong UPLOADS = new AtomicLong();

    private final OpenSandbox sandbox;

    public FileAccess(OpenSandbox sandbox) {
        this.sandbox = sandbox;
    }

    private FileAnswer ask(FileOp op, String path, int mode) throws IOException {
        return ask(new FileRequest(op, path, mode));
    }

    private FileAnswer ask(FileRequest request) throws IOException {
        FileAnswer answer = answer(sandbox.request(request));
        if (answer.filed().error() != 0) {
            throw new ErrnoException(
                    request.op().name().toLowerCase(Locale.ROOT), answer.filed().error());
        }
        return answer;
    }

    /** Waits for an answer, which may be an errno. */
    static FileAnswer answer(CompletableFuture<FileAnswer> answer) throws IOException {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw lost(e);
        }
    }

    /** Why no answer came; the cause of what this gives is always a {@link CompletionException}. */
    static IOException lost(CompletionException e) {
        if (e.getCause() instanceof TimeoutException) {
            return new IOException("the sandbox did not answer in time; is it paused?", e);
        }
        return new IOException(
                e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
    }

    private static Fd opened(FileAnswer answer) throws IOException {
        Fd fd = answer.fd();
        if (fd == null) {
            throw new IOException("the sandbox's init answered without a descriptor");
        }
        return fd;
    }

    /** A regular file's content, of the size that it had when it was opened. */
    public FileContent read(String path) throws IOException {
        FileAnswer answer = ask(FileOp.READ, path, 0);
        return new FileContent(sandbox.content(opened(answer)), answer.filed().bytes());
    }

    /** Replaces or makes a regular file, and the directories above it; it is complete when the stream was closed without an exception. */
    public OutputStream write(String path, int mode) throws IOException {
        return below(path, () -> open(path, mode, false));
    }

    /**
     * Replaces or makes a regular file, and the directories above it. Content that breaks off, or has no room, changes nothing. Where the
     * directory takes no new names the file is written in place, and such content leaves no part of it.
     *
     * @return how many bytes
     */
    public long put(String path, int mode, InputStream content) throws IOException {
        byte[] first = content.readNBytes(FileRequest.MOST_CONTENT + 1);
        if (first.length <= FileRequest.MOST_CONTENT && sandbox.receives()) {
            below(path, () -> store(path, mode, first));
            return first.length;
        }
        FileUpload upload = below(path, () -> openPart(path, mode));
        try {
            upload.write(first);
            long rest = content.transferTo(upload);
            upload.close();
            if (!upload.path().equals(path)) {
                ask(FileRequest.move(upload.path(), path));
            }
            return first.length + rest;
        } catch (IOException | RuntimeException | Error e) {
            upload.discard(); // half a file would be taken for one
            throw e;
        }
    }

    /** What is not whole yet has a name that no other upload has, beside the one that it is to get. */
    private FileUpload openPart(String path, int mode) throws IOException {
        requireReplaceable(path);
        String part = path.substring(0, path.lastIndexOf('/') + 1) + PART + UPLOADS.incrementAndGet();
        try {
            return open(part, mode, true);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EACCES || e.errno() == Errno.EPERM || e.errno() == Errno.EROFS) {
                return open(path, mode, false);
            }
            throw e;
        }
    }

    /** Refused before its content comes, and once more by init when that is whole. */
    private void requireReplaceable(String path) throws IOException {
        int error;
        try {
            error = switch (stat(path).kind()) {
                case FILE -> 0;
                case DIRECTORY -> Errno.EISDIR;
                case LINK -> Errno.ELOOP;
                case OTHER -> Errno.EINVAL;
            };
        } catch (ErrnoException e) {
            error = e.errno() == Errno.ENOENT ? 0 : e.errno();
        }
        if (error != 0) {
            throw new ErrnoException("write", error);
        }
    }

    /** A way to write a file that fails when there is no directory for it. */
    @FunctionalInterface
    private interface Way<T> {
        T go() throws IOException;
    }

    private <T> T below(String path, Way<T> way) throws IOException {
        try {
            return way.go();
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
            mkdir(path.substring(0, path.lastIndexOf('/')), DIRECTORY_MODE);
            return way.go();
        }
    }

    private FileUpload open(String path, int mode, boolean part) throws IOException {
        FileAnswer answer = ask(sandbox.receives() ? FileOp.RECEIVE : FileOp.WRITE, path, mode);
        return new FileUpload(sandbox, this, path, part, answer.id(), opened(answer));
    }

    private FileAnswer store(String path, int mode, byte[] content) throws IOException {
        return ask(new FileRequest(FileOp.STORE, path, mode, content));
    }

    /** What is at a path; for a link, the link itself is refused with ELOOP where it is not the last part. */
    public FileEntry stat(String path) throws IOException {
        Filed filed = ask(FileOp.STAT, path, 0).filed();
        return HostListing.entry(path, filed.mode(), filed.bytes(), filed.modified());
    }

    /** Makes a directory and those above it. */
    public void mkdir(String path, int mode) throws IOException {
        ask(FileOp.MKDIR, path, mode);
    }

    /** Removes a file, a link or a whole directory. */
    public void remove(String path) throws IOException {
        ask(FileOp.REMOVE, path, 0);
    }

    /** Removes what an upload made; a directory that the job put in its place is the job's. */
    void removeFile(String path) throws IOException {
        if (stat(path).kind() == FileEntry.Kind.FILE) {
            remove(path);
        }
    }

    /** A directory's entries. */
    public DirectoryListing list(String path) throws IOException {
        return sandbox.listing(opened(ask(FileOp.DIRECTORY, path, 0)), path);
    }
}
