package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.wire_signal;

/**
 * Signals a command, or resizes its terminal.
 *
 * @param signal the signal's number
 * @param target whom it reaches
 * @param window the new size, for {@link SignalTarget#WINDOW}
 */
public record Signal(int signal, SignalTarget target, WindowSize window) implements Request {
    /** Sends a signal to a command's process group. */
    public static Signal toGroup(int signal) {
        return new Signal(signal, SignalTarget.GROUP, WindowSize.NONE);
    }

    @Override
    public byte[] encode(int id, int fdCount) {
        return new Packet(MessageType.SIGNAL, id, fdCount, wire_signal.sizeof(), 0)
                .put(wire_signal.signal$offset(), signal)
                .put(wire_signal.target$offset(), target.code())
                .put(wire_signal.rows$offset(), (short) window.rows())
                .put(wire_signal.columns$offset(), (short) window.columns())
                .bytes();
    }
}
