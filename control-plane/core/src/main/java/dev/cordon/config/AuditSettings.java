package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingReader;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingType;
import dev.cordon.job.limit.ByteSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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
        boolean enabled,
        Path directory,
        ByteSize rotate,
        ByteSize keep,
        boolean output,
        CheckpointSettings checkpoints) {
    static final Setting<Boolean> ENABLED = new Setting<>(
            "audit.enabled",
            SettingType.TRUTH,
            "",
            "Whether jobs are recorded. The service and the command line do so unless this is false, an embedding"
                    + " program only when it is true.");

    static final Setting<Path> DIRECTORY = new Setting<>(
            "audit.directory",
            SettingType.PATH,
            "",
            "The log's own directory: audit in paths.state, or in the directory that cordon serve --state names.");
    /** Smaller files would be mostly names. */
    private static final Setting<ByteSize> FILE_SIZE = new Setting<>(
            "audit.rotate",
            SettingType.SIZE
                    .where(size -> size.bytes() >= 64 << 10, "is less than 64 KiB")
                    .where(size -> size.bytes() <= Long.MAX_VALUE / 2, "is too much to hold twice"),
            "64 MiB",
            "A file of the log that has reached this size is followed by a new one.");

    private static final Setting<ByteSize> LOG_SIZE = new Setting<>(
            "audit.keep",
            SettingType.SIZE,
            "10 GiB",
            "What the log holds, at least twice audit.rotate. When a new file begins and there is more, the oldest"
                    + " files are removed; a record of the log names them, and cordon audit verify tells.");
    private static final Setting<Boolean> OUTPUT = new Setting<>(
            "audit.output", SettingType.TRUTH, "false", "Whether the end of a job is recorded with what it wrote.");
    static final SettingTable TABLE = new SettingTable(
            "audit",
            "The log of what ran.",
            List.of(
                    ENABLED,
                    DIRECTORY,
                    FILE_SIZE,
                    LOG_SIZE,
                    CheckpointSettings.JOURNAL,
                    CheckpointSettings.RECORDS,
                    CheckpointSettings.INTERVAL,
                    CheckpointSettings.SIGNING_KEY,
                    OUTPUT));

    /** What a file holds unless the operator says otherwise. */
    public static final ByteSize ROTATE = FILE_SIZE.standardValue();

    /** What the log holds unless the operator says otherwise. */
    public static final ByteSize KEEP = LOG_SIZE.standardValue();

    /** Checks the sizes. */
    public AuditSettings {
        FILE_SIZE.check(rotate);
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
                CheckpointSettings.USUAL);
    }

    /** A log that is vouched for as is usual. */
    public AuditSettings(boolean enabled, Path directory, ByteSize rotate, ByteSize keep, boolean output) {
        this(enabled, directory, rotate, keep, output, CheckpointSettings.USUAL);
    }

    /** No log. */
    public static AuditSettings off(Path stateDirectory) {
        return new AuditSettings(false, stateDirectory.resolve("audit"), ROTATE, false);
    }

    static AuditSettings of(SettingReader reader, Path state, Map<String, String> environment) {
        AuditSettings settings = new AuditSettings(
                        reader.value(ENABLED, false),
                        reader.value(DIRECTORY, state.resolve("audit")),
                        reader.value(FILE_SIZE),
                        reader.value(OUTPUT))
                .vouched(CheckpointSettings.of(reader, environment));
        try {
            return settings.keeping(reader.value(LOG_SIZE, settings.keep()));
        } catch (IllegalArgumentException e) {
            reader.wrong(LOG_SIZE, String.valueOf(e.getMessage()), LOG_SIZE.remedy());
            return settings;
        }
    }

    /** This log, kept. */
    public AuditSettings on() {
        return new AuditSettings(true, directory, rotate, keep, output, checkpoints);
    }

    /** A log of these settings in another directory. */
    public AuditSettings in(Path other) {
        return new AuditSettings(enabled, other, rotate, keep, output, checkpoints);
    }

    /** This log, holding so much. */
    public AuditSettings keeping(ByteSize size) {
        return new AuditSettings(enabled, directory, rotate, size, output, checkpoints);
    }

    /** This log, vouched for in another way. */
    public AuditSettings vouched(CheckpointSettings other) {
        return new AuditSettings(enabled, directory, rotate, keep, output, other);
    }

    /** This log, written by a service. */
    public AuditSettings ofService() {
        return vouched(checkpoints.ofService());
    }
}
