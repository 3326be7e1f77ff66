package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;

/**
 * A process of the sandbox made a system call that was refused and reported.
 *
 * @param pid its process id, as the host sees it
 * @param syscall the call's number
 * @param arch the architecture of the call's table, as {@code AUDIT_ARCH_*}
 * @param killed whether it was killed for it
 * @param comm the process's name, which the job can set: never trust it
 */
public record ViolationNote(int pid, int syscall, int arch, boolean killed, String comm) implements Reply {
    private static final int STRUCT_BYTES = 40;
    private static final int COMM_BYTES = 20;

    static ViolationNote decode(MessageBody body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        return new ViolationNote(
                body.takeInt(), body.takeInt(), body.takeInt(), body.takeInt() != 0, body.takeText(COMM_BYTES));
    }
}
