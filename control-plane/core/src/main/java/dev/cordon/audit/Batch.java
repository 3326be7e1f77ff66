package dev.cordon.audit;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;

/**
 * Lines that follow a position.
 *
 * @param bytes the lines
 * @param end   the position after them
 */
@SuppressWarnings("ArrayRecordComponent") // made, written and dropped
record Batch(byte[] bytes, Mark end) {
    private static final int USUAL_LINE = 1024;

    static Batch of(Mark start, List<AuditEvent> events, Instant time) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_LINE * events.size());
        long sequence = start.sequence();
        String hash = start.hash();
        for (AuditEvent event : events) {
            sequence++;
            byte[] line = Line.of(sequence, time, event, hash);
            bytes.writeBytes(line);
            bytes.write('\n');
            hash = Sha256.of(line);
        }
        return new Batch(bytes.toByteArray(), new Mark(sequence, hash, start.length() + bytes.size()));
    }
}
