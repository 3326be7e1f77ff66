package dev.cordon.server.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A request's body that must keep coming: whoever sends it too slowly is cut off. */
public final class PacedStream extends FilterInputStream {
    private final long began = System.nanoTime();
    private long received;

    public PacedStream(InputStream body) {
        super(body);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count;
        try {
            count = super.read(buffer, offset, length);
        } catch (IOException e) {
            throw RequestBody.brokenOff(e);
        }
        count(count);
        return count;
    }

    private void count(int bytes) {
        received += Math.max(0, bytes);
        RequestBody.requireSpeed(began, received);
    }
}
