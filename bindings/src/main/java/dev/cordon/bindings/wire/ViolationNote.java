package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.wire_violation;

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
    static ViolationNote decode(Body body) throws MalformedMessage {
        body.expect(wire_violation.sizeof());
        return new ViolationNote(
                body.readInt(wire_violation.pid$offset()),
                body.readInt(wire_violation.syscall$offset()),
                body.readInt(wire_violation.arch$offset()),
                body.readInt(wire_violation.killed$offset()) != 0,
                body.readText(
                        wire_violation.comm$offset(),
                        wire_violation.comm$layout().byteSize()));
    }
}
