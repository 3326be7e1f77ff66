package dev.cordon.cli.box;

import java.io.IOException;
import java.io.InputStream;

/** A file that comes in frames. It ends with the frame that says so; a caller who is gone before that is an {@link IOException}. */
final class BoxContent extends InputStream {
    private final BoxConnection frames;
    private byte[] piece = {};
    private int taken;
    private boolean ended;

    BoxContent(BoxConnection frames) {
        this.frames = frames;
    }

    private boolean more() throws IOException {
        while (taken == piece.length && !ended) {
            BoxFrame frame = frames.receive();
            ended = frame.kind() != BoxFrame.INPUT;
            piece = frame.content();
            taken = 0;
        }
        return taken < piece.length;
    }

    @Override
    public int read() throws IOException {
        return more() ? piece[taken++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!more()) {
            return -1;
        }
        int count = Math.min(length, piece.length - taken);
        System.arraycopy(piece, taken, bytes, from, count);
        taken += count;
        return count;
    }

    /** Takes what is left of it. */
    void skipRest() throws IOException {
        while (more()) {
            taken = piece.length;
        }
    }
}
