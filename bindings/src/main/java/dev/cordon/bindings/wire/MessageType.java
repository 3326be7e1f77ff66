package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.request.FileOp;

/** What a message is, in the numbers of {@code enum wire_type}. */
public enum MessageType implements WireConstant {
    /** Make the sandbox. */
    OPEN(CordonWireH.WIRE_OPEN()),
    /** Start a command. */
    EXEC(CordonWireH.WIRE_EXEC()),
    /** Signal a command. */
    SIGNAL(CordonWireH.WIRE_SIGNAL()),
    /** Touch a file. */
    FILE(CordonWireH.WIRE_FILE()),
    /** Kill everything. */
    CLOSE(CordonWireH.WIRE_CLOSE()),
    /** The sandbox is made. */
    READY(CordonWireH.WIRE_READY()),
    /** The sandbox failed. */
    FAILED(CordonWireH.WIRE_FAILED()),
    /** The command runs. */
    STARTED(CordonWireH.WIRE_STARTED()),
    /** The command ended. */
    EXITED(CordonWireH.WIRE_EXITED()),
    /** A refused system call. */
    VIOLATION(CordonWireH.WIRE_VIOLATION()),
    /** The answer to {@link #FILE}. */
    FILED(CordonWireH.WIRE_FILED()),
    /** Everything is gone. */
    CLOSED(CordonWireH.WIRE_CLOSED()),
    /** A system call of a command that is observed. */
    OBSERVED(CordonWireH.WIRE_OBSERVED()),
    /** The end of what {@link FileOp#RECEIVE} began. */
    WRITTEN(CordonWireH.WIRE_WRITTEN());

    private final int code;

    MessageType(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
