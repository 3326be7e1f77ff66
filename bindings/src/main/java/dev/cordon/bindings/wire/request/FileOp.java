package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;
import dev.cordon.bindings.wire.reply.Written;

/** What a {@link FileRequest} does. */
public enum FileOp implements WireConstant {
    /** Opens a regular file for reading. */
    READ(CordonWireH.FILE_READ()),
    /** Creates or replaces a regular file and opens it for writing. */
    WRITE(CordonWireH.FILE_WRITE()),
    /** Makes a directory and its parents. */
    MKDIR(CordonWireH.FILE_MKDIR()),
    /** Removes a file, a link or a whole directory. */
    REMOVE(CordonWireH.FILE_REMOVE()),
    /** Opens a directory for listing. */
    DIRECTORY(CordonWireH.FILE_DIRECTORY()),
    /** Looks. */
    STAT(CordonWireH.FILE_STAT()),
    /** Creates or replaces a regular file and opens a pipe; init writes what comes through it, and says {@link Written} at its end. */
    RECEIVE(CordonWireH.FILE_RECEIVE()),
    /** Creates or replaces a regular file with the content that comes with the request. */
    STORE(CordonWireH.FILE_STORE()),
    /** Moves a regular file to where nothing, or another regular file, is. */
    MOVE(CordonWireH.FILE_MOVE());

    private final int code;

    FileOp(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
