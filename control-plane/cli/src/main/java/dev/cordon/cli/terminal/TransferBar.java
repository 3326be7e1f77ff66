package dev.cordon.cli.terminal;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** How far a large transfer is, on a terminal, in one line that is written over. Elsewhere, and for small ones, nothing. */
public final class TransferBar implements AutoCloseable {
    private static final long LARGE = 8L << 20;
    private static final int WIDTH = 30;
    private static final int MIB = 20;
    private static final long HUNDRED = 100;

    private final StandardStreams stdio;
    private final long size;
    private final boolean shown;
    private long done;
    private long drawn = -1;

    public TransferBar(StandardStreams stdio, long size) {
        this.stdio = stdio;
        this.size = size;
        this.shown = stdio.errIsTerminal() && size >= LARGE;
    }

    /** A stream whose bytes count when they are read. */
    public InputStream over(InputStream content) {
        return new FilterInputStream(content) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int got = super.read(into, offset, length);
                moved(Math.max(0, got));
                return got;
            }
        };
    }

    /** A stream whose bytes count when they are written. */
    public OutputStream over(OutputStream content) {
        return new FilterOutputStream(content) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
                moved(length);
            }
        };
    }

    private void moved(long bytes) {
        done += bytes;
        long percent = shown ? Math.min(HUNDRED, done * HUNDRED / size) : drawn;
        if (percent != drawn) {
            drawn = percent;
            int full = (int) (WIDTH * percent / HUNDRED);
            stdio.show("\r[" + "#".repeat(full) + "-".repeat(WIDTH - full)
                    + "] %3d %% of %d MiB".formatted(percent, size >> MIB));
        }
    }

    @Override
    public void close() {
        if (shown) {
            stdio.show("\n");
        }
    }
}
