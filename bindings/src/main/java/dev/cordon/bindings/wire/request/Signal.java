package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.value.WindowSize;
import dev.cordon.bindings.wire.MessageType;
import dev.cordon.bindings.wire.WirePacket;

/**
 * Signals a command, or resizes its terminal.
 *
 * @param signal the signal's number
 * @param target whom it reaches
 * @param window the new size, for {@link SignalTarget#WINDOW}
 */
public record Signal(int signal, SignalTarget target, WindowSize window) implements Request {
    private static final int STRUCT_BYTES = 16;
    private static final int KILL = 9;

    /** Sends a signal to a command's process group. */
    public static Signal toGroup(int signal) {
        return new Signal(signal, SignalTarget.GROUP, WindowSize.NONE);
    }

    /** Kills a command with whatever it started, as far as that can be told. */
    public static Signal killTree() {
        return new Signal(KILL, SignalTarget.TREE, WindowSize.NONE);
    }

    /** Kills every process of the sandbox but init. */
    public static Signal killAll() {
        return new Signal(KILL, SignalTarget.ALL, WindowSize.NONE);
    }

    /** Stops the clocks of all commands, or lets them go on. */
    public static Signal clocks(boolean go) {
        return new Signal(0, go ? SignalTarget.RESUME : SignalTarget.PAUSE, WindowSize.NONE);
    }

    @Override
    public byte[] encode(int id, int fdCount) {
        return new WirePacket(MessageType.SIGNAL, id, fdCount, STRUCT_BYTES)
                .put(STRUCT_BYTES)
                .put(signal)
                .put(target.code())
                .put((short) window.rows())
                .put((short) window.columns())
                .bytes();
    }
}
