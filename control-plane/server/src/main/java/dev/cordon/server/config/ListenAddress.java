package dev.cordon.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** Where the service is heard. */
public sealed interface ListenAddress {
    /** Clients that come at once wait here; whoever finds it full tries again after a second. */
    int BACKLOG = 1024;

    /** A connection on which nothing happens for so long is cut. */
    Duration IDLE = Duration.ofSeconds(30);

    /** What one connection can make the service hold: its buffers, and the thread of a request that stalls. */
    long BYTES_EACH = 40 << 10;

    /** The line of proc_pid_limits(5). */
    String DESCRIPTORS = "Max open files";

    /**
     * A unix socket. Its file and the rights on it are the caller's matter.
     *
     * @param path the file
     */
    record Unix(Path path) implements ListenAddress {}

    /**
     * A TCP port.
     *
     * @param host an address of this host
     * @param port 0 for any
     * @param tls  null for plain HTTP
     */
    record Tcp(String host, int port, @Nullable Tls tls) implements ListenAddress {}

    /**
     * The server's key.
     *
     * @param keyStore a PKCS#12 file
     * @param password of the file
     */
    record Tls(Path keyStore, String password) {
        @Override
        public String toString() {
            return "Tls[" + keyStore + "]";
        }
    }

    /** For Jetty, which has no more than so many connections of it at a time; others wait to be accepted. */
    default Connector connector(Server server, HttpConfiguration http, int most) {
        Connector connector = switch (this) {
            case Unix unix -> unix(server, http, unix);
            case Tcp tcp -> tcp(server, http, tcp);
        };
        server.addBean(new NetworkConnectionLimit(most, connector));
        return connector;
    }

    /**
     * Of each listener a quarter of the descriptors: none takes them from the other, nor all of them from files and jobs. And not more
     * than an eighth of the heap has room for, with what each can make the service hold.
     */
    static int mostConnections() throws IOException {
        try (Stream<String> limits = Files.lines(Path.of("/proc/self/limits"))) {
            long descriptors = limits.filter(line -> line.startsWith(DESCRIPTORS))
                    .map(line -> line.substring(DESCRIPTORS.length()).strip().split(" +", 2)[0])
                    .filter(number -> number.matches("\\d{1,18}"))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
            long room = Runtime.getRuntime().maxMemory() / 8 / BYTES_EACH;
            return Math.clamp(Math.min(descriptors / 4, room), 16, 8192);
        }
    }

    private static Connector unix(Server server, HttpConfiguration http, Unix unix) {
        UnixDomainServerConnector connector = new UnixDomainServerConnector(server, new HttpConnectionFactory(http));
        connector.setUnixDomainPath(unix.path());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(IDLE.toMillis());
        return connector;
    }

    private static Connector tcp(Server server, HttpConfiguration http, Tcp tcp) {
        ServerConnector connector;
        Tls tls = tcp.tls();
        if (tls == null) {
            connector = new ServerConnector(server, new HttpConnectionFactory(http));
        } else {
            SslContextFactory.Server keys = new SslContextFactory.Server();
            keys.setKeyStorePath(tls.keyStore().toString());
            keys.setKeyStorePassword(tls.password());
            HttpConfiguration secure = new HttpConfiguration(http);
            secure.addCustomizer(new SecureRequestCustomizer(false));
            connector = new ServerConnector(
                    server, new SslConnectionFactory(keys, "http/1.1"), new HttpConnectionFactory(secure));
        }
        connector.setHost(tcp.host());
        connector.setPort(tcp.port());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(IDLE.toMillis());
        return connector;
    }
}
