package dev.cordon.audit.file;

import java.io.IOException;

/** The log is not as it was left; nothing is appended to it until somebody has looked. */
public final class DamagedLog extends IOException {
    private static final long serialVersionUID = 1L;

    public DamagedLog(String message) {
        super(message);
    }
}
