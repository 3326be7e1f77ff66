package dev.cordon.audit.write;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.file.LogPosition;
import dev.cordon.audit.file.Sha256Hex;
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
record RecordBatch(byte[] bytes, LogPosition end) {
    private static final int USUAL_LINE = 1024;

    static RecordBatch of(LogPosition start, List<AuditEvent> events, Instant time) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_LINE * events.size());
        long sequence = start.sequence();
        String hash = start.hash();
        for (AuditEvent event : events) {
            sequence++;
            byte[] line = RecordLine.of(sequence, time, event, hash);
            bytes.writeBytes(line);
            bytes.write('\n');
            hash = Sha256Hex.of(line);
        }
        return new RecordBatch(bytes.toByteArray(), new LogPosition(sequence, hash, start.length() + bytes.size()));
    }
}
