package dev.cordon.bench;

import java.io.IOException;

/** A comparison could not be made; the message says why. */
public final class BenchFailed extends IOException {
    private static final long serialVersionUID = 1L;

    /** What did not run as it should. */
    public BenchFailed(String message) {
        super(message);
    }
}
