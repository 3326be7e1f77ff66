package dev.cordon.cli.client;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A WebSocket (RFC 6455) to a service: whole messages, no extensions. */
public final class WebSocket implements AutoCloseable {
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;
    private static final int TWO_BYTES = 126;
    private static final int EIGHT_BYTES = 127;
    private static final int LARGEST = 1 << 20;
    private static final int KEY = 16;

    private final HttpConnection connection;
    private final DataInputStream in;
    private final OutputStream out;
    private final SecureRandom random = new SecureRandom();

    /** Over a connection whose other side has switched to this protocol; it ends with this. */
    WebSocket(HttpConnection connection) {
        this.connection = connection;
        this.in = new DataInputStream(connection.line().in());
        this.out = connection.line().out();
    }

    /** The headers of a request that opens one, with these. */
    static Map<String, String> opening(Map<String, String> headers) {
        byte[] key = new byte[KEY];
        new SecureRandom().nextBytes(key);
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put("Connection", "Upgrade");
        all.put("Upgrade", "websocket");
        all.put("Sec-WebSocket-Version", "13");
        all.put("Sec-WebSocket-Key", Base64.getEncoder().encodeToString(key));
        return all;
    }

    /** Sends bytes. */
    public void send(byte[] bytes, int offset, int length) throws IOException {
        frame(BINARY, bytes, offset, length);
    }

    /** Sends text. */
    public void send(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        frame(TEXT, bytes, 0, bytes.length);
    }

    private void frame(int kind, byte[] bytes, int offset, int length) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream(length + 16);
        frame.write(FINAL | kind);
        if (length < TWO_BYTES) {
            frame.write(MASKED | length);
        } else if (length < 1 << 16) {
            frame.write(MASKED | TWO_BYTES);
            frame.write(length >>> 8);
            frame.write(length);
        } else {
            frame.write(MASKED | EIGHT_BYTES);
            for (int shift = 56; shift >= 0; shift -= 8) {
                frame.write((int) ((long) length >>> shift));
            }
        }
        byte[] mask = new byte[4];
        random.nextBytes(mask);
        frame.writeBytes(mask);
        for (int i = 0; i < length; i++) {
            frame.write(bytes[offset + i] ^ mask[i & 3]);
        }
        synchronized (out) {
            out.write(frame.toByteArray());
        }
    }

    /** The next bytes that come; null when the other side has closed in order. */
    public byte @Nullable [] receive() throws IOException {
        while (true) {
            int kind = in.readUnsignedByte() & 0x0f;
            byte[] content = content();
            switch (kind) {
                case CLOSE -> {
                    return null;
                }
                case PING -> frame(PONG, content, 0, content.length);
                case PONG -> {}
                default -> {
                    return content;
                }
            }
        }
    }

    private byte[] content() throws IOException {
        long length = in.readUnsignedByte() & 0x7f;
        if (length == TWO_BYTES) {
            length = in.readUnsignedShort();
        } else if (length == EIGHT_BYTES) {
            length = in.readLong();
        }
        if (length < 0 || length > LARGEST) {
            throw new IOException("a message of " + length + " bytes");
        }
        byte[] content = in.readNBytes((int) length);
        if (content.length < length) {
            throw new EOFException("the service broke off");
        }
        return content;
    }

    @Override
    public void close() {
        connection.close();
    }
}
