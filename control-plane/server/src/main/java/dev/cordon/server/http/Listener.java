package dev.cordon.server.http;

import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** Where the service is heard. */
public sealed interface Listener {
    /** A connection on which nothing happens for so long is cut. */
    Duration IDLE = Duration.ofSeconds(30);

    /**
     * A unix socket. Its file and the rights on it are the caller's matter.
     *
     * @param path the file
     */
    record Unix(Path path) implements Listener {}

    /**
     * A TCP port.
     *
     * @param host an address of this host
     * @param port 0 for any
     * @param tls  null for plain HTTP
     */
    record Tcp(String host, int port, @Nullable Tls tls) implements Listener {}

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

    /** For Jetty. */
    default Connector connector(Server server, HttpConfiguration http) {
        return switch (this) {
            case Unix unix -> unix(server, http, unix);
            case Tcp tcp -> tcp(server, http, tcp);
        };
    }

    private static Connector unix(Server server, HttpConfiguration http, Unix unix) {
        UnixDomainServerConnector connector = new UnixDomainServerConnector(server, new HttpConnectionFactory(http));
        connector.setUnixDomainPath(unix.path());
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
        connector.setIdleTimeout(IDLE.toMillis());
        return connector;
    }
}
