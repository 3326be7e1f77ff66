package dev.cordon.cli.box;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One message between a process that holds a sandbox and another command of the same user: a kind, a length, content.
 *
 * @param kind    what it says
 * @param content bytes, or text
 */
@SuppressWarnings("ArrayRecordComponent")
public // made, sent and dropped; never compared
record BoxFrame(char kind, byte[] content) {
    /** Asks what the sandbox is. */
    public static final char INFO = 'I';
    /** Asks for its end. */
    public static final char KILL = 'K';
    /** Asks for a command: rows, columns (0 for no terminal), then its words. */
    public static final char EXEC = 'X';
    /** Asks to write a file; its content follows as INPUT, INPUT_END. */
    public static final char PUT = 'P';
    /** Asks for a file; its content comes as STDOUT. */
    public static final char GET = 'G';

    public static final char INPUT = 'i';
    public static final char INPUT_END = 'e';
    public static final char RESIZE = 'w';
    public static final char STDOUT = 'o';
    public static final char STDERR = 'r';
    /** The size of a file that comes. */
    static final char SIZE = 's';
    /** The end: exit code, JSON, then messages. */
    public static final char RESULT = 'd';

    private static final int MOST = 4 << 20;
    private static final String SEPARATOR = "\0";

    public static BoxFrame of(char kind, List<String> words) {
        return new BoxFrame(kind, String.join(SEPARATOR, words).getBytes(StandardCharsets.UTF_8));
    }

    public static BoxFrame of(char kind, String... words) {
        return of(kind, List.of(words));
    }

    /** The content as words. */
    public List<String> words() {
        return List.of(new String(content, StandardCharsets.UTF_8).split(SEPARATOR, -1));
    }

    static BoxFrame read(DataInputStream in) throws IOException {
        char kind = (char) in.readUnsignedByte();
        int length = in.readInt();
        if (length < 0 || length > MOST) {
            throw new IOException("a message of " + length + " bytes; both sides must be the same version of cordon");
        }
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException("the other side is gone");
        }
        return new BoxFrame(kind, content);
    }

    void write(DataOutputStream out) throws IOException {
        synchronized (out) {
            out.writeByte(kind);
            out.writeInt(content.length);
            out.write(content);
            out.flush();
        }
    }
}
