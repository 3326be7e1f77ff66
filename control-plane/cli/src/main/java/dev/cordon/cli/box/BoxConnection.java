package dev.cordon.cli.box;

import dev.cordon.config.Config;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A connection between the process that holds a sandbox and another command of the same user. */
public final class BoxConnection implements AutoCloseable {
    private static final int PIECE = 1 << 16;

    private final SocketChannel channel;
    private final DataInputStream in;
    private final DataOutputStream out;

    BoxConnection(SocketChannel channel) {
        this.channel = channel;
        this.in = new DataInputStream(Channels.newInputStream(channel));
        this.out = new DataOutputStream(Channels.newOutputStream(channel));
    }

    /**
     * Connects to the sandbox with this id. The socket of a process that is gone is removed.
     *
     * @throws IOException when nobody is there
     */
    public static BoxConnection to(Config config, String id) throws IOException {
        Path socket = new OpenBoxes(config).socket(id);
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new BoxConnection(channel);
        } catch (IOException gone) {
            channel.close();
            Files.deleteIfExists(socket);
            throw new IOException("the process that held sandbox " + id + " is gone", gone);
        }
    }

    public void send(BoxFrame frame) throws IOException {
        frame.write(out);
    }

    /** Sends all that comes from a stream, in frames of this kind. */
    public void send(char kind, InputStream from) throws IOException {
        byte[] piece = new byte[PIECE];
        for (int got = from.read(piece); got >= 0; got = from.read(piece)) {
            send(new BoxFrame(kind, Arrays.copyOf(piece, got)));
        }
    }

    public BoxFrame receive() throws IOException {
        return BoxFrame.read(in);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
