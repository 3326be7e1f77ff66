package dev.cordon.cli.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body of a known length, or one in chunks (RFC 9112 section 7.1). It ends where the body does; one that breaks off is an error. */
final class BodyStream extends InputStream {
    private static final int HEX = 16;

    private final InputStream in;
    private final boolean chunked;
    private long left;
    private boolean first = true;
    private boolean ended;

    /** A body of that length; -1 for one in chunks. */
    BodyStream(InputStream in, long length) {
        this.in = in;
        this.chunked = length < 0;
        this.left = Math.max(0, length);
        this.ended = length == 0;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (chunked && left == 0 && !ended) {
            nextChunk();
        }
        if (ended) {
            return -1;
        }
        int got = in.read(into, offset, (int) Math.min(length, left));
        if (got < 0) {
            throw new EOFException("the service broke off");
        }
        left -= got;
        ended = !chunked && left == 0;
        return got;
    }

    private void nextChunk() throws IOException {
        if (!first && !HttpAnswer.line(in).isEmpty()) {
            throw new IOException("a chunk that does not end where it said");
        }
        first = false;
        String size = HttpAnswer.line(in);
        int extension = size.indexOf(';');
        String digits = (extension < 0 ? size : size.substring(0, extension)).trim();
        if (!digits.matches("[0-9A-Fa-f]{1,15}")) {
            throw new IOException("a chunk without a length");
        }
        left = Long.parseLong(digits, HEX);
        if (left == 0) {
            ended = true;
            String trailer = HttpAnswer.line(in); // says nothing that we ask for
            while (!trailer.isEmpty()) {
                trailer = HttpAnswer.line(in);
            }
        }
    }
}
