package dev.cordon.config;

import dev.cordon.api.ByteSize;
import java.nio.file.Path;

/**
 * Where and how jobs are recorded.
 *
 * @param enabled   whether they are; the command line records its jobs unless this was set to false, an embedding program's only when it
 *                  was set to true
 * @param directory the log's own directory
 * @param rotate    a file of the log that has reached this size is followed by a new one
 * @param keep      what the log holds: when a new file begins and there is more, the oldest files are removed, and a record names them
 * @param output    whether the end of a job is recorded with what it wrote
 * @param checkpoints how its end is vouched for
 */
public record AuditSettings(
        boolean enabled, Path directory, ByteSize rotate, ByteSize keep, boolean output, Checkpoints checkpoints) {
    /** What a file holds unless the operator says otherwise. */
    public static final ByteSize ROTATE = ByteSize.mib(64);

    /** What the log holds unless the operator says otherwise. */
    public static final ByteSize KEEP = ByteSize.gib(10);

    /** Smaller files would be mostly names. */
    static final ByteSize LEAST_ROTATE = ByteSize.kib(64);

    /** Checks the sizes. */
    public AuditSettings {
        if (rotate.bytes() < LEAST_ROTATE.bytes()) {
            throw new IllegalArgumentException("is less than " + LEAST_ROTATE);
        }
        if (keep.bytes() / 2 < rotate.bytes()) {
            throw new IllegalArgumentException("is less than twice audit.rotate, which is " + rotate);
        }
    }

    /** A log that holds as much as is usual. */
    public AuditSettings(boolean enabled, Path directory, ByteSize rotate, boolean output) {
        this(
                enabled,
                directory,
                rotate,
                ByteSize.bytes(Math.max(KEEP.bytes(), 2 * rotate.bytes())),
                output,
                Checkpoints.USUAL);
    }

    /** A log that is vouched for as is usual. */
    public AuditSettings(boolean enabled, Path directory, ByteSize rotate, ByteSize keep, boolean output) {
        this(enabled, directory, rotate, keep, output, Checkpoints.USUAL);
    }

    /** No log. */
    public static AuditSettings off(Path stateDirectory) {
        return new AuditSettings(false, stateDirectory.resolve("audit"), ROTATE, false);
    }

    /** The same log, kept. */
    public AuditSettings on() {
        return new AuditSettings(true, directory, rotate, keep, output, checkpoints);
    }

    /** A log of the same settings in another directory. */
    public AuditSettings in(Path other) {
        return new AuditSettings(enabled, other, rotate, keep, output, checkpoints);
    }

    /** The same log, holding so much. */
    public AuditSettings keeping(ByteSize size) {
        return new AuditSettings(enabled, directory, rotate, size, output, checkpoints);
    }

    /** The same log, vouched for in another way. */
    public AuditSettings vouched(Checkpoints other) {
        return new AuditSettings(enabled, directory, rotate, keep, output, other);
    }

    /** The same log, written by a service. */
    public AuditSettings ofService() {
        return vouched(checkpoints.ofService());
    }
}
