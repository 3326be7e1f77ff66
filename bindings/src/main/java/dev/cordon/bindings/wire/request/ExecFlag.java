package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;
import dev.cordon.bindings.wire.reply.Started;

/** How a command is started. */
public enum ExecFlag implements WireConstant {
    /** The sandbox ends with this command. */
    FINAL(CordonWireH.EXEC_FINAL()),
    /** Standard input is /dev/null; no descriptor is sent for it. */
    STDIN_NULL(CordonWireH.EXEC_STDIN_NULL()),
    /** The strings are in the last descriptor; set by {@link Exec} itself. */
    STRINGS_FD(CordonWireH.EXEC_STRINGS_FD()),
    /** A pty made inside comes back with {@link Started}. */
    TTY(CordonWireH.EXEC_TTY()),
    /** Standard error is standard output's descriptor. */
    MERGE_STDERR(CordonWireH.EXEC_MERGE_STDERR());

    private final int code;

    ExecFlag(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
