package dev.cordon.selftest.rig;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** Somebody who listens on the host's loopback, over TCP and UDP on one port, and counts who came. */
public final class LoopbackListener implements AutoCloseable {
    private static final int MOMENT_MS = 20;
    private static final int MOST_PORTS = 32;
    private static final byte[] LOOPBACK_V4 = {127, 0, 0, 1};
    private static final byte[] LOOPBACK_V6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private final List<ServerSocket> streams = new ArrayList<>();
    private final DatagramChannel datagrams;

    private LoopbackListener(DatagramChannel datagrams) {
        this.datagrams = datagrams;
    }

    public static LoopbackListener open() throws IOException {
        for (int left = MOST_PORTS; ; left--) {
            LoopbackListener listener = new LoopbackListener(DatagramChannel.open());
            try {
                listener.bind();
                return listener;
            } catch (BindException taken) {
                // A port that is free for UDP may be somebody's for TCP.
                listener.close();
                if (left == 0) {
                    throw taken;
                }
            }
        }
    }

    private void bind() throws IOException {
        InetAddress loopback = InetAddress.getByAddress(LOOPBACK_V4);
        datagrams.bind(new InetSocketAddress(loopback, 0));
        datagrams.configureBlocking(false);
        listen(loopback);
        try {
            listen(InetAddress.getByAddress(LOOPBACK_V6));
        } catch (IOException noIpv6) {
            // A host without IPv6 has nothing to reach there.
        }
    }

    private void listen(InetAddress address) throws IOException {
        ServerSocket socket = new ServerSocket();
        streams.add(socket);
        socket.bind(new InetSocketAddress(address, port()));
        socket.setSoTimeout(MOMENT_MS);
    }

    public int port() throws IOException {
        return datagrams.getLocalAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
    }

    /** Connections and packets since it was asked the last time. */
    public int visitors() throws IOException {
        int visitors = 0;
        ByteBuffer packet = ByteBuffer.allocate(64);
        while (datagrams.receive(packet.clear()) != null) {
            visitors++;
        }
        for (ServerSocket stream : streams) {
            visitors += connections(stream);
        }
        return visitors;
    }

    private static int connections(ServerSocket stream) throws IOException {
        int connections = 0;
        while (stream.isBound()) {
            try {
                stream.accept().close();
                connections++;
            } catch (SocketTimeoutException nobody) {
                break;
            }
        }
        return connections;
    }

    @Override
    public void close() throws IOException {
        datagrams.close();
        for (ServerSocket stream : streams) {
            stream.close();
        }
    }
}
