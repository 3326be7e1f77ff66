package dev.cordon.cli.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One HTTP/1.1 connection: a request, its answer read to the end, then the next. The JDK's client cannot speak to a unix socket, and two
 * clients would be two behaviours.
 *
 * @param host the name in the Host header
 * @param line both directions; what follows the answer is read here, once both sides speak another protocol
 */
public record HttpConnection(String host, DuplexLine line) implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    /** Connects. */
    static HttpConnection to(ServiceAddress address) throws IOException {
        return new HttpConnection(address.host(), address.connect());
    }

    /** Sends a request with a body of known size. */
    HttpAnswer send(String method, String target, Map<String, String> headers, byte[] body) throws IOException {
        head(method, target, headers, method.equals("GET") ? "" : "Content-Length: " + body.length + "\r\n", body);
        return HttpAnswer.read(line.in());
    }

    /** Sends a request whose body is read to its end meanwhile. */
    HttpAnswer send(String method, String target, Map<String, String> headers, InputStream body) throws IOException {
        head(method, target, headers, "Transfer-Encoding: chunked\r\n", new byte[0]);
        byte[] piece = new byte[CHUNK];
        int got = body.read(piece);
        while (got >= 0 && (got == 0 || taken(chunk(piece, got)))) {
            got = body.read(piece);
        }
        if (got < 0) {
            var _ = taken("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        return HttpAnswer.read(line.in());
    }

    private static byte[] chunk(byte[] piece, int length) {
        ByteArrayOutputStream chunk = new ByteArrayOutputStream(length + 16);
        chunk.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        chunk.write(piece, 0, length);
        chunk.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        return chunk.toByteArray();
    }

    /** A service that refuses takes no more, and its answer says why. */
    private boolean taken(byte[] bytes) {
        try {
            line.out().write(bytes);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private void head(String method, String target, Map<String, String> headers, String length, byte[] body)
            throws IOException {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n");
        headers.forEach((name, value) -> {
            if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0) {
                throw new IllegalArgumentException(name + " has a line break");
            }
            head.append(name).append(": ").append(value).append("\r\n");
        });
        head.append(length).append("\r\n");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        all.writeBytes(body);
        line.out().write(all.toByteArray());
    }

    @Override
    public void close() {
        try {
            line.ends().close();
        } catch (IOException gone) {
            return;
        }
    }
}
