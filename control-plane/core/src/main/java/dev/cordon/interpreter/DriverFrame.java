package dev.cordon.interpreter;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message between Cordon and an interpreter's driver: a length, a kind, the number of a run, and fields, each with its length. The
 * driver's own code says the same. What is read here may come from hostile code.
 *
 * @param kind   what it says
 * @param run    the run that it is about; 0 for none
 * @param fields its content
 */
record DriverFrame(char kind, int run, List<byte[]> fields) {
    static final char RUN = 'R';
    static final char INTERRUPT = 'I';
    static final char KILL = 'K';
    static final char READY = 'Y';
    static final char STDOUT = 'O';
    static final char STDERR = 'E';
    static final char DISPLAY = 'D';
    static final char VALUE = 'V';
    static final char RAISED = 'X';
    static final char DONE = 'F';
    static final char DIED = 'Z';

    private static final int HEAD = 5;
    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST_FIELDS = 1024;

    DriverFrame {
        fields = List.copyOf(fields);
    }

    /** A request to the driver. */
    static DriverFrame of(char kind, int run, String... fields) {
        return new DriverFrame(
                kind,
                run,
                Arrays.stream(fields)
                        .map(field -> field.getBytes(StandardCharsets.UTF_8))
                        .toList());
    }

    /** As it travels. */
    byte[] encoded() {
        int length = HEAD;
        for (byte[] field : fields) {
            length += Integer.BYTES + field.length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + length);
        bytes.putInt(length).put((byte) kind).putInt(run);
        fields.forEach(field -> bytes.putInt(field.length).put(field));
        return bytes.array();
    }

    /**
     * Reads the next one; null at the end of the stream.
     *
     * @throws BrokenProtocol when what comes is not a frame
     */
    static @Nullable DriverFrame read(InputStream stream) throws IOException {
        byte[] prefix = stream.readNBytes(Integer.BYTES);
        if (prefix.length == 0) {
            return null;
        }
        if (prefix.length < Integer.BYTES) {
            throw new BrokenProtocol("a frame ended in its length");
        }
        int length = ByteBuffer.wrap(prefix).getInt();
        if (length < HEAD || length > MOST_BYTES) {
            throw new BrokenProtocol("a frame of " + Integer.toUnsignedLong(length) + " bytes");
        }
        // Grows with what comes, not with what was announced.
        byte[] body = stream.readNBytes(length);
        if (body.length < length) {
            throw new BrokenProtocol("a frame was cut off");
        }
        ByteBuffer rest = ByteBuffer.wrap(body);
        char kind = (char) (rest.get() & 0xff);
        int run = rest.getInt();
        return new DriverFrame(kind, run, fields(rest));
    }

    private static List<byte[]> fields(ByteBuffer rest) throws BrokenProtocol {
        List<byte[]> fields = new ArrayList<>();
        while (rest.hasRemaining()) {
            int length = rest.remaining() < Integer.BYTES ? -1 : rest.getInt();
            if (length < 0 || length > rest.remaining() || fields.size() == MOST_FIELDS) {
                throw new BrokenProtocol("field " + fields.size() + " of a frame does not fit into it");
            }
            byte[] field = new byte[length];
            rest.get(field);
            fields.add(field);
        }
        return fields;
    }

    /** Checks how many fields there are. */
    void expect(int least, int most) throws BrokenProtocol {
        if (fields.size() < least || fields.size() > most) {
            throw new BrokenProtocol("a frame of kind " + (int) kind + " with " + fields.size() + " fields");
        }
    }

    /** A field as text. */
    String text(int index) {
        return new String(fields.get(index), StandardCharsets.UTF_8);
    }

    /** A field as a number that is not negative. */
    long number(int index) throws BrokenProtocol {
        byte[] field = fields.get(index);
        long number = 0;
        for (byte digit : field) {
            if (digit < '0' || digit > '9' || field.length > 18) {
                throw new BrokenProtocol("a number was expected in field " + index);
            }
            number = number * 10 + (digit - '0');
        }
        return number;
    }
}
