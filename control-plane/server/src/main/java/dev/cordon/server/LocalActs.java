package dev.cordon.server;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.AuditUnavailable;
import dev.cordon.audit.write.AuditLog;
import dev.cordon.config.AuditSettings;
import dev.cordon.config.Config;
import java.util.List;
import java.util.Map;

/** Writes what is done to the service's state from the command line into the log that the service writes, too. */
final class LocalActs {
    private LocalActs() {}

    /**
     * Returns when it is on the disk.
     *
     * @throws IllegalArgumentException with the remedy, when it cannot be written
     */
    static void record(Config config, String act, String object, String owner, Map<String, String> details) {
        AuditSettings settings = config.recorded().audit();
        if (!settings.enabled()) {
            return;
        }
        String user = "user:" + System.getProperty("user.name", "");
        try (AuditLog log = new AuditLog(settings)) {
            log.attest(List.of(new AuditEvent.Administered(user, act, object, owner, "", details)));
        } catch (AuditUnavailable e) {
            throw new IllegalArgumentException(
                    (act.endsWith("revoke") ? "the token is over, but " : "") + act + " is recorded, and that failed: "
                            + e.getMessage() + "; " + e.remedy(),
                    e);
        }
    }
}
