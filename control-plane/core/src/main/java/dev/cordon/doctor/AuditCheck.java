package dev.cordon.doctor;

import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.HeadJournal;
import dev.cordon.config.AuditSettings;
import dev.cordon.job.limit.ByteSize;
import java.io.IOException;
import java.util.Optional;

/** Whether the audit log has room: without it no job is admitted. */
public final class AuditCheck {
    private static final CheckSubject ANCHORS = new CheckSubject(
            "audit_anchors",
            "who may write the log could cut it or write it anew, and only what is kept elsewhere shows that");
    private static final CheckSubject LOG = new CheckSubject("audit_log", "a log that cannot be written admits no job");
    private static final long SCARCE = ByteSize.mib(512).bytes();

    private AuditCheck() {}

    /** Looks at the log and the disk below it. */
    public static HostCheck of(AuditSettings settings) {
        if (!settings.enabled()) {
            return LOG.info("jobs are not recorded: audit.enabled is not true");
        }
        try {
            return judge(settings, held(settings), free(settings));
        } catch (IOException e) {
            return LOG.warn(
                    "the disk of " + settings.directory() + " cannot be looked at: " + e.getMessage(),
                    "make the directory of audit.directory readable and writable for this user");
        }
    }

    /** Whether somebody outside of the log knows how far it goes. */
    public static HostCheck anchors(AuditSettings settings) {
        return anchors(settings, HeadJournal.ofThisHost());
    }

    static HostCheck anchors(AuditSettings settings, Optional<HeadJournal> journal) {
        String signed = settings.checkpoints().key() == null ? "" : ", and a key signs them";
        if (!settings.enabled() || !settings.checkpoints().journal()) {
            return ANCHORS.info("a service sends no heads of the log anywhere" + signed);
        }
        return journal.map(to -> ANCHORS.pass("a service sends the heads of its log to " + to.socket() + signed))
                .orElseGet(() -> ANCHORS.warn(
                        "this host has neither a journal nor syslog that takes the heads of the log" + signed,
                        "run systemd-journald or a syslog daemon with /dev/log, or keep elsewhere what cordon audit"
                                + " verify prints, or set audit.signing_key"));
    }

    static HostCheck judge(AuditSettings settings, long held, long free) {
        long growth = Math.max(0, settings.keep().bytes() - held);
        String found = shown(held) + " of audit.keep = " + settings.keep() + ", " + shown(free) + " free on its disk";
        return free < Math.min(growth, Math.max(SCARCE, 4 * settings.rotate().bytes()))
                ? LOG.warn(
                        found,
                        "free space there, or set audit.keep to what the disk has room for, at most "
                                + shown(held + free / 2))
                : LOG.pass(found);
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
        return DiskRoom.usable(settings.directory());
    }
}
