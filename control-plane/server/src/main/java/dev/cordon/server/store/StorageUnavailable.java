package dev.cordon.server.store;

/** The state could not be written or read: a full or read-only disk, most of the time. */
public final class StorageUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StorageUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
