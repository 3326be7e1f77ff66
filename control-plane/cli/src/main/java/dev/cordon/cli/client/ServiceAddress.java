package dev.cordon.cli.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where a service listens. */
public sealed interface ServiceAddress permits ServiceAddress.Unix, ServiceAddress.Loopback, SecureAddress {
    /** How it is written in CORDON_HOST. */
    String SYNTAX = "unix:/path/of/socket, http://127.0.0.1:PORT, https://HOST:PORT or none";

    /** The name in the Host header. */
    String host();

    /** Connects. */
    DuplexLine connect() throws IOException;

    /**
     * A socket on this host.
     *
     * @param path its name
     */
    record Unix(Path path) implements ServiceAddress {
        @Override
        public String host() {
            return "localhost";
        }

        @Override
        public DuplexLine connect() throws IOException {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(path));
                return DuplexLine.of(channel);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        }

        @Override
        public String toString() {
            return "unix:" + path;
        }
    }

    /**
     * A port of this host: what is sent is not encrypted, so nothing but loopback is taken.
     *
     * @param name 127.0.0.1, [::1] or localhost
     * @param port the port
     */
    record Loopback(String name, int port) implements ServiceAddress {
        @Override
        public String host() {
            return name + ":" + port;
        }

        @Override
        public DuplexLine connect() throws IOException {
            InetAddress address = InetAddress.getByName(name);
            if (!address.isLoopbackAddress()) {
                throw new IOException(name + " is " + address.getHostAddress() + ", which is not on this host");
            }
            return DuplexLine.of(SocketChannel.open(new InetSocketAddress(address, port)));
        }

        @Override
        public String toString() {
            return "http://" + host();
        }
    }

    /**
     * Reads CORDON_HOST.
     *
     * @param authorities a PEM file of those that may vouch for a service behind TLS; empty for the JDK's
     * @throws IllegalArgumentException when it is not an address; the message has the remedy
     */
    static ServiceAddress parse(String text, String authorities) {
        try {
            if (text.startsWith("unix:")) {
                Path path = Path.of(text.substring("unix:".length()));
                if (path.isAbsolute()) {
                    return new Unix(path);
                }
            } else {
                URI uri = new URI(text);
                String host = uri.getHost();
                if (host != null && bare(uri)) {
                    if ("http".equals(uri.getScheme()) && uri.getPort() > 0) {
                        return loopback(text, host, uri.getPort());
                    }
                    if ("https".equals(uri.getScheme()) && uri.getPort() != 0) {
                        int port = uri.getPort() < 0 ? SecureAddress.USUAL_PORT : uri.getPort();
                        return SecureAddress.of(host, port, authorities);
                    }
                }
            }
        } catch (URISyntaxException | InvalidPathException e) {
            // told below
        }
        throw new IllegalArgumentException(
                "CORDON_HOST: '" + text + "' is not an address of a service; write " + SYNTAX);
    }

    private static boolean bare(URI uri) {
        return (uri.getPath().isEmpty() || uri.getPath().equals("/"))
                && uri.getQuery() == null
                && uri.getFragment() == null
                && uri.getUserInfo() == null;
    }

    private static ServiceAddress loopback(String text, String host, int port) {
        if (host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}")) {
            return new Loopback(host, port);
        }
        throw new IllegalArgumentException("CORDON_HOST: '" + text
                + "' is not on this host, and http would show the token to the network; use https, or forward"
                + " its socket with ssh -L");
    }
}
