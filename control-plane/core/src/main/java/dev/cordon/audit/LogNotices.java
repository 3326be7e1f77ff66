package dev.cordon.audit;

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

    static void lost(int count) {
        LOG.error("{} records could not be written to the audit log before it was closed", count);
    }
}
