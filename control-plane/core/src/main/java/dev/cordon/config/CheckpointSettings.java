package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingReader;
import dev.cordon.config.setting.SettingType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the end of an audit log is vouched for outside of the log: at the latest after so many records or so much time, and when a file is
 * full or the writer ends.
 *
 * @param service  whether a service writes the log; commands that write a few records send no heads
 * @param journal  whether heads go to the journal, or syslog
 * @param records  after so many records
 * @param interval after so much time
 * @param key      the file of the key that signs them; null for none
 */
public record CheckpointSettings(
        boolean service,
        boolean journal,
        long records,
        Duration interval,
        @Nullable Path key) {
    static final Setting<Boolean> JOURNAL = new Setting<>(
            "audit.journal",
            SettingType.TRUTH,
            "true",
            "Whether a service sends the head of its log (number and SHA-256 of the last record) to the journal,"
                    + " else to syslog, where the log's own user cannot change it: at each checkpoint, with a new"
                    + " file, and when it ends. cordon audit verify --journal reads them.");
    static final Setting<Long> RECORDS = new Setting<>(
            "audit.checkpoint_records",
            SettingType.number().where(records -> records > 0, "is not above zero"),
            "1000",
            "A checkpoint comes at the latest after so many records.");
    static final Setting<Duration> INTERVAL = new Setting<>(
            "audit.checkpoint_interval",
            SettingType.DURATION.where(interval -> interval.compareTo(Duration.ofMillis(1)) >= 0, "is not above zero"),
            "10m",
            "It comes at the latest after so much time.");
    static final Setting<Path> SIGNING_KEY = new Setting<>(
            "audit.signing_key",
            SettingType.PATH,
            "",
            "An Ed25519 key (cordon audit keygen) that signs each checkpoint as a record of the log; systemd's"
                    + " credential audit-signing-key where it hands one over. cordon audit verify --key checks it.");

    /** Unless the operator says otherwise. */
    public static final CheckpointSettings USUAL = of(SettingReader.ofDefaults(), Map.of());

    /** Checks the bounds. */
    public CheckpointSettings {
        RECORDS.check(records);
        INTERVAL.check(interval);
    }

    static CheckpointSettings of(SettingReader reader, Map<String, String> environment) {
        Path credential = Path.of(environment.getOrDefault("CREDENTIALS_DIRECTORY", ""), "audit-signing-key");
        Path key = reader.written(SIGNING_KEY);
        if (key == null && credential.isAbsolute() && Files.exists(credential)) {
            key = credential;
        }
        return new CheckpointSettings(false, reader.value(JOURNAL), reader.value(RECORDS), reader.value(INTERVAL), key);
    }

    /** Whether heads are sent. */
    public boolean sent() {
        return service && journal;
    }

    /** These, of a service. */
    CheckpointSettings ofService() {
        return new CheckpointSettings(true, journal, records, interval, key);
    }
}
