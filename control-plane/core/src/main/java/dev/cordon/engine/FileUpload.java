package dev.cordon.engine;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.engine.file.FileEndpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A regular file of a sandbox that is being written. Closing tells whether everything arrived.
 *
 * <p>What goes into a sandbox is charged to its memory. Whether a piece has room is asked before it is sent, because the kernel would not
 * refuse it, but kill; a file that has none is removed: the part of it that came would be taken for the whole.
 */
final class FileUpload extends OutputStream {
    private static final int PIECE = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(FileUpload.class);

    private final OpenSandbox sandbox;
    private final FileAccess access;
    private final String path;
    private final boolean part;
    private final int id;
    private final FileEndpoint file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
    private boolean closed;
    private boolean discarded;

    /**
     * A file that init has opened, and emptied.
     *
     * @param access removes it when it does not become whole
     * @param part whether the name is this upload's alone
     * @param id   of the request that opened it
     * @param file what that was answered with; this object's from here on
     */
    FileUpload(OpenSandbox sandbox, FileAccess access, String path, boolean part, int id, Fd file) {
        this.sandbox = sandbox;
        this.access = access;
        this.path = path;
        this.part = part;
        this.id = id;
        this.file = sandbox.content(file);
    }

    /** Where it is written. */
    String path() {
        return path;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, bytes.length);
        for (int done = 0; done < length; ) {
            int count = Math.min(PIECE, length - done);
            if (!sandbox.fits(count)) {
                discard();
                throw new ErrnoException("write", Errno.ENOMEM);
            }
            buffer.clear().put(bytes, from + done, count).flip();
            send();
            done += count;
        }
    }

    private void send() throws IOException {
        try {
            file.write(buffer);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EPIPE) {
                close(); // whoever was to write it gave up, and says why
            }
            giveUp();
            throw e;
        } catch (IOException e) {
            giveUp();
            throw e;
        }
    }

    /** Gives the file up and removes what there is of it. */
    void discard() {
        if (discarded) {
            return;
        }
        discarded = true;
        if (part) {
            giveUp();
            var _ = sandbox.request(
                    new FileRequest(FileOp.REMOVE, path, 0)); // one that is paused does it when it goes on
            return;
        }
        try {
            close();
        } catch (IOException e) {
            LOG.debug("a file that is given up did not end well: {}", e.toString());
        }
        try {
            access.removeFile(path);
        } catch (IOException | RuntimeException e) {
            LOG.info("a part of a file stays in its sandbox: {}", e.toString());
        }
    }

    private void giveUp() {
        if (!closed) {
            closed = true;
            file.close();
            var _ = sandbox.written(id); // nobody waits for it any more
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        file.close();
        int error;
        try {
            error = sandbox.written(id).join();
        } catch (CompletionException e) {
            throw FileAccess.lost(e);
        }
        if (error != 0) {
            throw new ErrnoException("write", error);
        }
    }
}
