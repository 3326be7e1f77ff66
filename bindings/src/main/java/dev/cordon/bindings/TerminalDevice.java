package dev.cordon.bindings;

import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.WindowSize;
import java.nio.ByteBuffer;

/** A descriptor of this process that is a terminal: its mode and its size. The descriptor stays the caller's. */
public final class TerminalDevice {
    /** More than struct termios takes in any C library; its content is not looked at. */
    private static final int MODE_BYTES = 256;

    /** When what was written has gone out. From termios.h; the same on all architectures that Cordon runs on. */
    private static final int TCSADRAIN = 1;

    /** Asks for struct winsize: rows and columns, then pixels. From asm-generic/ioctls.h. */
    private static final int TIOCGWINSZ = 0x5413;

    private static final int WINSIZE_BYTES = 8;

    private final Libc libc;
    private final int fd;

    TerminalDevice(Libc libc, int fd) {
        this.libc = libc;
        this.fd = fd;
    }

    /** The mode that it is in; to be given back as it is. */
    public byte[] mode() throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer mode = memory.room(MODE_BYTES);
            Kernel.check("tcgetattr", libc.function("tcgetattr").intResult(fd, CallMemory.address(mode)));
            byte[] copy = new byte[MODE_BYTES];
            mode.get(copy);
            return copy;
        }
    }

    /** Sets a mode that {@link #mode()} told. */
    public void mode(byte[] mode) throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            set(memory.copy(mode));
        }
    }

    /** Passes every key on as it is typed, and everything that is written as it is. */
    public void raw() throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer mode = memory.copy(mode());
            var _ = libc.function("cfmakeraw").call(CallMemory.address(mode));
            set(mode);
        }
    }

    private void set(ByteBuffer mode) throws ErrnoException {
        int result = libc.function("tcsetattr").intResult(fd, TCSADRAIN, CallMemory.address(mode));
        Kernel.check("tcsetattr", result);
    }

    /** Its size; zeros when it has none. */
    public WindowSize size() throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer size = memory.room(WINSIZE_BYTES);
            int result = libc.function("ioctl").intResult(fd, TIOCGWINSZ, CallMemory.address(size));
            Kernel.check("ioctl TIOCGWINSZ", result);
            return new WindowSize(Short.toUnsignedInt(size.getShort(0)), Short.toUnsignedInt(size.getShort(2)));
        }
    }
}
