package dev.cordon.audit;

import dev.cordon.audit.file.DamagedLog;
import dev.cordon.result.Outcome;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** The log cannot be written, so no job may start. */
public final class AuditUnavailable extends Exception {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    public AuditUnavailable(Path directory, Throwable cause) {
        super("the audit log in " + directory + " cannot be written: " + words(cause), cause);
        this.remedy = cause instanceof DamagedLog
                ? "see cordon audit verify; to begin a new log, move " + directory + " away"
                : "free space there or make it writable; jobs are admitted again as soon as it can be written."
                        + " Without a log: audit.enabled = false";
    }

    private static String words(Throwable cause) {
        return switch (cause) {
            case AccessDeniedException denied -> "permission denied on " + denied.getFile();
            case FileSystemException file -> file.getMessage() == null ? file.toString() : file.getMessage();
            case IOException io -> String.valueOf(io.getMessage());
            default -> cause.toString();
        };
    }

    /** What the operator can do. */
    public String remedy() {
        return remedy;
    }

    /** As the end of a job that was refused for it. */
    public Outcome.Failed outcome() {
        return new Outcome.HostUnsupported(String.valueOf(getMessage()), remedy, Outcome.Fault.AUDIT_LOG);
    }
}
