package dev.cordon.audit.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The end of the log, kept beside it. After a crash of the writer alone everything up to {@code written} is there; after a crash of the
 * machine, which the boot id tells, everything up to {@code synced}.
 *
 * @param segment the sequence number that names the current file
 * @param written up to where records were written
 * @param synced  up to where they are on the disk
 * @param boot    the boot during which this was written
 */
public record LogHead(long segment, LogPosition written, LogPosition synced, String boot) {
    private static final String FORMAT = "cordon-audit 1";
    /** Overwritten in place and inside of one sector: a reader sees the old or the new one. */
    static final int BYTES = 512;

    public static LogHead first(String boot) {
        return new LogHead(1, LogPosition.START, LogPosition.START, boot);
    }

    /** Where the log must at least reach. */
    public LogPosition promised(String currentBoot) {
        return boot.equals(currentBoot) ? written : synced;
    }

    public static LogHead read(FileChannel file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {}
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw new DamagedLog("audit.head is damaged (" + e.getMessage() + ")");
        }
    }

    static LogHead parse(String text) {
        String[] lines = text.strip().split("\n", -1);
        if (!lines[0].equals(FORMAT)) {
            throw new IllegalArgumentException("it does not begin with '" + FORMAT + "'");
        }
        Map<String, String> values = new HashMap<>();
        for (String line : lines) {
            int space = line.indexOf(' ');
            values.put(line.substring(0, Math.max(space, 0)), line.substring(space + 1));
        }
        return new LogHead(
                Long.parseLong(values.getOrDefault("segment", "")),
                mark(values.getOrDefault("written", "")),
                mark(values.getOrDefault("synced", "")),
                values.getOrDefault("boot", ""));
    }

    private static LogPosition mark(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("a position is missing");
        }
        return new LogPosition(Long.parseLong(parts[0]), parts[1], Long.parseLong(parts[2]));
    }

    public void write(FileChannel file) throws IOException {
        String text = FORMAT + "\nsegment " + segment + "\nwritten " + show(written) + "\nsynced " + show(synced)
                + "\nboot " + boot + "\n";
        StringBuilder block = new StringBuilder(text);
        block.repeat(' ', BYTES - 1 - text.length()).append('\n');
        ByteBuffer bytes = ByteBuffer.wrap(block.toString().getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            file.write(bytes, bytes.position());
        }
    }

    private static String show(LogPosition position) {
        return position.sequence() + " " + position.hash() + " " + position.length();
    }
}
