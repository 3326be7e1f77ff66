package dev.cordon.audit.file;

/**
 * A position in the log.
 *
 * @param sequence the last record before it; 0 when there is none
 * @param hash     that record's SHA-256
 * @param length   bytes of the file up to there
 */
public record LogPosition(long sequence, String hash, long length) {
    /** What the first record has for the one before it. */
    public static final String NOTHING = "0".repeat(64);

    static final LogPosition START = new LogPosition(0, NOTHING, 0);

    public LogPosition {
        if (sequence < 0 || length < 0 || !hash.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("no position of a log: " + sequence + ", " + hash + ", " + length);
        }
    }
}
