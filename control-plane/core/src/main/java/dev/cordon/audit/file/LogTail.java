package dev.cordon.audit.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * What a file of the log has after a position: whole records that continue the chain, then bytes that do not.
 *
 * @param end  the position after the last whole record
 * @param torn how many bytes follow it
 */
public record LogTail(LogPosition end, long torn) {
    /** Writers that die leave at most what they wrote at once; more than this is not a tail. */
    private static final int MOST = 64 << 20;

    public static LogTail read(FileChannel file, LogPosition from) throws IOException {
        long size = file.size();
        if (size - from.length() > MOST) {
            throw new DamagedLog((size - from.length()) + " bytes follow the end of the log");
        }
        ByteBuffer rest = ByteBuffer.allocate((int) (size - from.length()));
        while (rest.hasRemaining() && file.read(rest, from.length() + rest.position()) > 0) {}
        byte[] bytes = Arrays.copyOf(rest.array(), rest.position());
        LogPosition end = from;
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                byte[] line = Arrays.copyOfRange(bytes, start, i);
                ChainLinks links = ChainLinks.of(line);
                if (links == null
                        || links.sequence() != end.sequence() + 1
                        || !links.previous().equals(end.hash())) {
                    break;
                }
                start = i + 1;
                end = new LogPosition(links.sequence(), Sha256Hex.of(line), from.length() + start);
            }
        }
        return new LogTail(end, size - end.length());
    }
}
