package dev.cordon.audit;

import java.io.IOException;

/** The log is not as it was left; nothing is appended to it until somebody has looked. */
final class DamagedLog extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedLog(String message) {
        super(message);
    }
}
