package dev.cordon.engine;

import dev.cordon.api.FileEntry;
import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.wire.FileOp;
import dev.cordon.bindings.wire.FileRequest;
import dev.cordon.bindings.wire.Filed;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/**
 * The files of a sandbox, through its init: that resolves every path inside, follows no link, opens regular files only, and hands out
 * descriptors. Paths here are absolute, as the sandbox sees them. What fails does so with an {@link ErrnoException}, or with an
 * {@link IOException} when the sandbox is gone.
 */
public final class FileAccess {
    private final OpenSandbox sandbox;

    FileAccess(OpenSandbox sandbox) {
        this.sandbox = sandbox;
    }

    private FileAnswer ask(FileOp op, String path, int mode) throws IOException {
        FileAnswer answer;
        try {
            answer = sandbox.request(new FileRequest(op, path, mode)).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException) {
                throw new IOException("the sandbox did not answer in time; is it paused?", e);
            }
            throw new IOException(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
        }
        if (answer.filed().error() != 0) {
            throw new ErrnoException(
                    op.name().toLowerCase(Locale.ROOT), answer.filed().error());
        }
        return answer;
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

    /** Replaces or makes a regular file; it is complete when the stream was closed without an exception. */
    public OutputStream write(String path, int mode) throws IOException {
        FileAnswer answer = ask(FileOp.WRITE, path, mode);
        return new FileSink(
                sandbox.content(opened(answer)),
                () -> sandbox.written(answer.id()).join());
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

    /** A directory's entries. */
    public DirectoryListing list(String path) throws IOException {
        return sandbox.listing(opened(ask(FileOp.DIRECTORY, path, 0)), path);
    }
}
