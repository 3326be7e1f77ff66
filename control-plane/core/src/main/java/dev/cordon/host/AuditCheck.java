package dev.cordon.host;

import dev.cordon.api.ByteSize;
import dev.cordon.audit.AuditReader;
import dev.cordon.config.AuditSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Whether the audit log has room: without it no job is admitted. */
public final class AuditCheck {
    private static final String ID = "audit_log";
    private static final String WHY = "a log that cannot be written admits no job";
    private static final long SCARCE = ByteSize.mib(512).bytes();

    private AuditCheck() {}

    /** Looks at the log and the disk below it. */
    public static Check of(AuditSettings settings) {
        if (!settings.enabled()) {
            return Check.info(ID, "jobs are not recorded: audit.enabled is not true", WHY);
        }
        try {
            return judge(settings, held(settings), free(settings));
        } catch (IOException e) {
            return Check.warn(
                    ID,
                    "the disk of " + settings.directory() + " cannot be looked at: " + e.getMessage(),
                    WHY,
                    "make the directory of audit.directory readable and writable for this user");
        }
    }

    static Check judge(AuditSettings settings, long held, long free) {
        long growth = Math.max(0, settings.keep().bytes() - held);
        String found = shown(held) + " of audit.keep = " + settings.keep() + ", " + shown(free) + " free on its disk";
        return free < Math.min(growth, Math.max(SCARCE, 4 * settings.rotate().bytes()))
                ? Check.warn(
                        ID,
                        found,
                        WHY,
                        "free space there, or set audit.keep to what the disk has room for, at most "
                                + shown(held + free / 2))
                : Check.pass(ID, found, WHY);
    }

    private static ByteSize shown(long bytes) {
        return ByteSize.mib(bytes >> 20);
    }

    /** What the log holds, in bytes. */
    public static long held(AuditSettings settings) throws IOException {
        AuditReader reader = new AuditReader(settings.directory());
        return reader.exists() ? reader.bytes() : 0;
    }

    /** What its disk has room for, in bytes. */
    public static long free(AuditSettings settings) throws IOException {
        Path place = settings.directory().toAbsolutePath();
        while (!Files.exists(place)) {
            place = Objects.requireNonNull(place.getParent(), "every path has a root");
        }
        return Files.getFileStore(place).getUsableSpace();
    }
}
