package dev.cordon.audit.write;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.AuditUnavailable;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log itself has to say to the operator. */
final class LogNotices {
    private static final Logger LOG = LoggerFactory.getLogger("dev.cordon.audit");

    private LogNotices() {}

    static void torn(Path aside) {
        LOG.warn("a writer of the audit log stopped in the middle of a record; its beginning is in {}", aside);
    }

    static void unsynced(Exception e) {
        LOG.warn("the audit log's files were not closed as they should", e);
    }

    static void failed(AuditUnavailable e) {
        LOG.error("jobs are not admitted: {}; {}", e.getMessage(), e.remedy());
    }

    static void recovered() {
        LOG.info("the audit log can be written again; jobs are admitted");
    }

    static void retired(AuditEvent.Retired retired) {
        LOG.info(
                "the audit log has reached audit.keep: {} files with the records {} to {} were removed",
                retired.files(),
                retired.first(),
                retired.last());
    }

    static void notRetired(Exception e) {
        LOG.warn("files of the audit log that are above audit.keep could not be removed", e);
    }

    static void notBounded(Exception e) {
        LOG.error("the audit log is above audit.keep, and nothing of it is removed; see cordon audit verify", e);
    }

    static void headNotKept(Throwable e) {
        LOG.warn("a head of the audit log could not be kept outside of it: {}", e.toString());
    }

    static void noJournal() {
        LOG.warn(
                "the audit log is not anchored: this host has neither a journal nor syslog (/dev/log); keep what cordon"
                        + " audit verify prints elsewhere, or set audit.signing_key");
    }

    static void noCheckpoint(Throwable e) {
        LOG.warn("a checkpoint of the audit log could not be written, it comes with the next: {}", e.toString());
    }

    static void lost(int count) {
        LOG.error("{} records could not be written to the audit log before it was closed", count);
    }
}
