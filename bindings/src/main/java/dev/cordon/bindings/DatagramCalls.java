package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import dev.cordon.bindings.value.ErrnoException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Datagrams over unix sockets, which Java's channels do not have. */
final class DatagramCalls {
    // Checked against the C compiler by LayoutTest.
    static final int AF_UNIX = 1;
    static final int SOCK_DGRAM = 2;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int PATH_OFFSET = 2;
    static final int PATH_BYTES = 108;

    private final Libc libc;

    DatagramCalls(Libc libc) {
        this.libc = libc;
    }

    void send(String name, byte[] message) throws ErrnoException {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        boolean isAbstract = name.startsWith("@");
        if (path.length < 2 || path.length >= PATH_BYTES || (!isAbstract && path[0] != '/')) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not an address of a unix socket: an absolute path, or @ and a name, of at most "
                            + (PATH_BYTES - 1) + " bytes");
        }
        // SOCK_CLOEXEC and SOCK_NONBLOCK are the flags of open(2).
        int type = SOCK_DGRAM | LibcH.O_CLOEXEC() | LibcH.O_NONBLOCK();
        try (Fd socket = new Fd(libc, Kernel.check("socket", libc.socket(AF_UNIX, type)));
                CallMemory memory = new CallMemory()) {
            // A path ends with a NUL, an abstract name begins with one and ends with the address.
            ByteBuffer address = memory.room(PATH_OFFSET + path.length + (isAbstract ? 0L : 1L));
            address.putShort(0, (short) AF_UNIX).put(PATH_OFFSET, path);
            if (isAbstract) {
                address.put(PATH_OFFSET, (byte) 0);
            }
            long sent = libc.sendTo(memory, socket.number(), memory.copy(message), address);
            Kernel.check("sendto " + name, (int) sent);
        }
    }
}
