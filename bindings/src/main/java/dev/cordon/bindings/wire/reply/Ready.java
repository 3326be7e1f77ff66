package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;

/**
 * The sandbox is made and waits for commands.
 *
 * @param initPid the process id of its init, as the host sees it
 * @param landlockAbi the version of Landlock that guards it; 0: this kernel has none
 * @param shared bits of {@code enum wire_shared}: what it has in common with the host although its plan asked for its own
 */
public record Ready(int initPid, int landlockAbi, int shared) implements Reply {
    private static final int STRUCT_BYTES = 16;

    static Ready decode(MessageBody body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        return new Ready(body.takeInt(), body.takeInt(), body.takeInt());
    }

    /** Whether files of the host are shown with the host's inodes; watches on files are refused then. */
    public boolean sharesTrees() {
        return (shared & CordonWireH.SHARED_TREES()) != 0;
    }

    /** Whether its device nodes are the host's. */
    public boolean sharesDevices() {
        return (shared & CordonWireH.SHARED_DEVICES()) != 0;
    }
}
