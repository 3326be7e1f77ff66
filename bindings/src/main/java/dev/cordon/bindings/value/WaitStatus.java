package dev.cordon.bindings.value;

/**
 * How a process ended, as {@code wait(2)} encodes it.
 *
 * @param raw the kernel's value
 */
public record WaitStatus(int raw) {
    /** Whether it ended by itself, with {@link #code}. */
    public boolean exited() {
        return signal() == 0;
    }

    /** The exit code. */
    public int code() {
        return (raw >> 8) & 0xff;
    }

    /** The signal that killed it, or 0. */
    public int signal() {
        return raw & 0x7f;
    }
}
