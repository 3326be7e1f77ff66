package dev.cordon.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListenAddressTest {
    private static final int MOST = 3;

    @TempDir
    Path directory;

    /** Idle connections of one listener are held to its bound, and the other one answers. */
    @Test
    void connectionsAreBoundedForEachListener() throws Exception {
        Path file = directory.resolve("socket");
        Server server = new Server();
        HttpConfiguration http = new HttpConfiguration();
        ServerConnector tcp =
                (ServerConnector) new ListenAddress.Tcp("127.0.0.1", 0, null).connector(server, http, MOST);
        AbstractConnector unix = (AbstractConnector) new ListenAddress.Unix(file).connector(server, http, MOST);
        server.addConnector(tcp);
        server.addConnector(unix);
        server.start();
        List<Socket> sockets = new ArrayList<>();
        try (SocketChannel local = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            for (int i = 0; i < 2 * MOST; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), tcp.getLocalPort()));
            }
            await().until(() -> !tcp.isAccepting());
            assertThat(tcp.getConnectedEndPoints()).hasSizeLessThanOrEqualTo(MOST);
            assertThat(unix.isAccepting()).isTrue();
            local.connect(UnixDomainSocketAddress.of(file));
            local.write(ByteBuffer.wrap("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            assertThat(local.read(ByteBuffer.allocate(100))).isPositive();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
            server.stop();
        }
    }

    @Test
    void theBoundLeavesDescriptorsForOthers() throws Exception {
        assertThat(ListenAddress.mostConnections()).isBetween(16, 8192);
    }
}
