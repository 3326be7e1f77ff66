package dev.cordon.bindings.wire;

/**
 * Signals a command, or resizes its terminal.
 *
 * @param signal the signal's number
 * @param target whom it reaches
 * @param window the new size, for {@link SignalTarget#WINDOW}
 */
public record Signal(int signal, SignalTarget target, WindowSize window) implements Request {
    private static final int STRUCT_BYTES = 16;

    /** Sends a signal to a command's process group. */
    public static Signal toGroup(int signal) {
        return new Signal(signal, SignalTarget.GROUP, WindowSize.NONE);
    }

    @Override
    public byte[] encode(int id, int fdCount) {
        return new Packet(MessageType.SIGNAL, id, fdCount, STRUCT_BYTES)
                .put(STRUCT_BYTES)
                .put(signal)
                .put(target.code())
                .put((short) window.rows())
                .put((short) window.columns())
                .bytes();
    }
}
