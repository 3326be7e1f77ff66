package dev.cordon.host;

import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.TerminalDevice;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.WindowSize;
import dev.cordon.job.Terminal;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The terminal that somebody sits at. Closing it puts it back into the mode that it was found in; so does the end of the JVM, whatever
 * brings it about short of SIGKILL.
 */
public final class HostTerminal implements AutoCloseable {
    private static final Terminal USUAL = new Terminal(24, 80);

    private final TerminalDevice device;
    private final Thread hook = new Thread(this::restore, "cordon-terminal");
    private byte @Nullable [] before;

    private HostTerminal(TerminalDevice device) {
        this.device = device;
    }

    /** A descriptor of this process; empty when it is not a terminal. */
    public static Optional<HostTerminal> of(int descriptor) {
        TerminalDevice device = NativeParts.load().terminal(descriptor);
        try {
            byte[] mode = device.mode();
            return mode.length == 0 ? Optional.empty() : Optional.of(new HostTerminal(device));
        } catch (ErrnoException e) {
            return Optional.empty();
        }
    }

    /** Passes every key on as it is typed, Ctrl-C included. */
    public synchronized void raw() throws IOException {
        if (before != null) {
            return;
        }
        try {
            before = device.mode();
            Runtime.getRuntime().addShutdownHook(hook);
            device.raw();
        } catch (ErrnoException e) {
            throw new IOException("the terminal does not change its mode: " + e.errnoName(), e);
        }
    }

    /** Its size now; 24 by 80 when it does not know. */
    public Terminal size() {
        try {
            WindowSize size = device.size();
            return size.rows() == 0 || size.columns() == 0 ? USUAL : new Terminal(size.rows(), size.columns());
        } catch (ErrnoException e) {
            return USUAL;
        }
    }

    private synchronized void restore() {
        byte[] mode = before;
        before = null;
        if (mode != null) {
            try {
                device.mode(mode);
            } catch (ErrnoException e) {
                // It was hung up; nobody looks at it any more.
                return;
            }
        }
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            return;
        }
    }
}
