package dev.cordon.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * A service behind TLS. Its certificate must come from an authority that is trusted and must name the host, before a byte of a request
 * is sent; nothing turns that off.
 *
 * @param name    as in the URL, an IPv6 address in brackets
 * @param port    the port
 * @param sockets knows the authorities
 */
record SecureAddress(String name, int port, SSLSocketFactory sockets) implements ServiceAddress {
    static final int USUAL_PORT = 443;

    private static final int PATIENCE_MILLIS = 20_000;
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    /**
     * Trusts the authorities of a PEM file and no others, or those of the JDK where none is named.
     *
     * @throws IllegalArgumentException when the file has none; the message has the remedy
     */
    static SecureAddress of(String name, int port, String authorities) {
        return new SecureAddress(
                name,
                port,
                authorities.isEmpty() ? (SSLSocketFactory) SSLSocketFactory.getDefault() : trusting(authorities));
    }

    private static SSLSocketFactory trusting(String file) {
        try (InputStream pem = Files.newInputStream(Path.of(file))) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate authority : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                trusted.setCertificateEntry("authority-" + trusted.size(), authority);
            }
            if (trusted.size() == 0) {
                throw new IllegalArgumentException("CORDON_CA_FILE: " + file + " has no certificate in PEM");
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("CORDON_CA_FILE: " + file + " cannot be read: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "CORDON_CA_FILE: " + file + " is not a certificate in PEM: " + e.getMessage(), e);
        }
    }

    @Override
    public String host() {
        return port == USUAL_PORT ? name : name + ":" + port;
    }

    @Override
    public DuplexLine connect() throws IOException {
        Socket plain = new Socket();
        try {
            plain.connect(new InetSocketAddress(bare(), port), PATIENCE_MILLIS);
            plain.setTcpNoDelay(true);
            plain.setSoTimeout(PATIENCE_MILLIS);
            SSLSocket socket = (SSLSocket) sockets.createSocket(plain, bare(), port, true);
            SSLParameters demands = socket.getSSLParameters();
            demands.setEndpointIdentificationAlgorithm("HTTPS");
            demands.setProtocols(PROTOCOLS);
            socket.setSSLParameters(demands);
            socket.startHandshake();
            socket.setSoTimeout(0);
            // The plain one is closed: an orderly end could wait for the other side, and every answer tells its own
            // length.
            return new DuplexLine(socket.getInputStream(), socket.getOutputStream(), plain);
        } catch (SSLException e) {
            plain.close();
            throw new IOException(
                    "no TLS with it: " + e.getMessage() + "; where its certificate is of an authority of your own, name"
                            + " that one's certificate (PEM) in CORDON_CA_FILE",
                    e);
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private String bare() {
        return name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
    }

    @Override
    public String toString() {
        return "https://" + host();
    }
}
