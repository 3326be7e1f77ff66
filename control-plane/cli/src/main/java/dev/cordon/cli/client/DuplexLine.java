package dev.cordon.cli.client;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/**
 * Both directions of a connection. Closing it from another thread ends a read that waits.
 *
 * @param in   what comes, buffered
 * @param out  what goes, unbuffered
 * @param ends closes it
 */
record DuplexLine(InputStream in, OutputStream out, Closeable ends) {
    private static final int BUFFER = 1 << 16;

    DuplexLine {
        in = new BufferedInputStream(in, BUFFER);
    }

    static DuplexLine of(SocketChannel channel) {
        return new DuplexLine(Channels.newInputStream(channel), Channels.newOutputStream(channel), channel);
    }
}
