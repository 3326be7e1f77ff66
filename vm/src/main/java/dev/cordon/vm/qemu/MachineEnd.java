package dev.cordon.vm.qemu;

/**
 * How a machine ended.
 *
 * @param kind    what it was
 * @param detail  for people: QEMU's exit, or the guest's last words
 * @param console the end of the guest's console
 */
public record MachineEnd(Kind kind, String detail, String console) {
    /** The kinds of ends. */
    public enum Kind {
        /** It was closed. */
        CLOSED,
        /** The guest's kernel panicked. */
        PANIC,
        /** The guest switched itself off or restarted. */
        SHUT_DOWN,
        /** QEMU died or was killed. */
        DIED
    }
}
