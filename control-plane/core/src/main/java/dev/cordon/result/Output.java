package dev.cordon.result;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a job wrote to one stream.
 *
 * @param bytes the beginning, at most the output limit; copied out
 * @param total how many bytes the job wrote in all
 */
@SuppressWarnings("ArrayRecordComponent") // copied, and compared by content
public record Output(byte[] bytes, long total) {
    /** Copies the bytes and checks that no more are kept than were written. */
    public Output {
        bytes = bytes.clone();
        if (total < bytes.length) {
            throw new IllegalArgumentException("kept " + bytes.length + " bytes of " + total);
        }
    }

    /** An empty stream. */
    public static Output empty() {
        return new Output(new byte[0], 0);
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Whether bytes beyond the limit were dropped. */
    public boolean truncated() {
        return total > bytes.length;
    }

    /** The kept bytes as UTF-8, with malformed sequences replaced. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Output output && total == output.total && Arrays.equals(bytes, output.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(total) + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Output[" + bytes.length + " of " + total + " bytes]";
    }
}
