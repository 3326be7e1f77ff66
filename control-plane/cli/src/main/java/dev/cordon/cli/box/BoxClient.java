package dev.cordon.cli.box;

import dev.cordon.config.Config;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A connection to the process that holds a sandbox. */
public final class BoxClient implements AutoCloseable {
    private final SocketChannel channel;
    private final DataInputStream in;
    private final DataOutputStream out;

    private BoxClient(SocketChannel channel) {
        this.channel = channel;
        this.in = new DataInputStream(Channels.newInputStream(channel));
        this.out = new DataOutputStream(Channels.newOutputStream(channel));
    }

    /**
     * Connects to the sandbox with this id. The socket of a process that is gone is removed.
     *
     * @throws IOException when nobody is there
     */
    public static BoxClient to(Config config, String id) throws IOException {
        Path socket = new OpenBoxes(config).socket(id);
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new BoxClient(channel);
        } catch (IOException gone) {
            channel.close();
            Files.deleteIfExists(socket);
            throw new IOException("the process that held sandbox " + id + " is gone", gone);
        }
    }

    public void send(BoxFrame frame) throws IOException {
        frame.write(out);
    }

    public BoxFrame receive() throws IOException {
        return BoxFrame.read(in);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
