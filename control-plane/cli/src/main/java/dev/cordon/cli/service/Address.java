package dev.cordon.cli.service;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where a service listens. */
public sealed interface Address {
    /** How it is written in CORDON_HOST. */
    String SYNTAX = "unix:/path/of/socket, http://127.0.0.1:PORT or none";

    /** The name in the Host header. */
    String host();

    /** Connects. */
    SocketChannel connect() throws IOException;

    /**
     * A socket on this host.
     *
     * @param path its name
     */
    record Unix(Path path) implements Address {
        @Override
        public String host() {
            return "localhost";
        }

        @Override
        public SocketChannel connect() throws IOException {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(path));
                return channel;
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
    record Loopback(String name, int port) implements Address {
        @Override
        public String host() {
            return name + ":" + port;
        }

        @Override
        public SocketChannel connect() throws IOException {
            String bare = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
            return SocketChannel.open(new InetSocketAddress(bare, port));
        }

        @Override
        public String toString() {
            return "http://" + host();
        }
    }

    /**
     * Reads CORDON_HOST.
     *
     * @throws IllegalArgumentException when it is no address; the message has the remedy
     */
    static Address parse(String text) {
        try {
            if (text.startsWith("unix:")) {
                Path path = Path.of(text.substring("unix:".length()));
                if (path.isAbsolute()) {
                    return new Unix(path);
                }
            } else {
                URI uri = new URI(text);
                String host = uri.getHost();
                boolean bare = (uri.getPath().isEmpty() || uri.getPath().equals("/")) && uri.getQuery() == null;
                if ("http".equals(uri.getScheme()) && host != null && bare && uri.getPort() > 0) {
                    return loopback(text, host, uri.getPort());
                }
            }
        } catch (URISyntaxException | InvalidPathException e) {
            // told below
        }
        throw new IllegalArgumentException("CORDON_HOST: '" + text + "' is no address of a service; write " + SYNTAX);
    }

    private static Address loopback(String text, String host, int port) {
        if (host.equals("localhost") || host.equals("[::1]") || host.startsWith("127.")) {
            return new Loopback(host, port);
        }
        throw new IllegalArgumentException("CORDON_HOST: '" + text
                + "' is not on this host, and http would show the token to the network; forward its socket"
                + " with ssh -L");
    }
}
