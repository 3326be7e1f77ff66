package dev.cordon.bindings.value;

import java.io.IOException;

/** A native call that failed: which one, and with what errno. */
public final class ErrnoException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    /**
     * A failed call.
     *
     * @param call the function's name, with what it was called on when that helps
     * @param errno the positive error number
     */
    public ErrnoException(String call, int errno) {
        super(call + ": " + Errno.name(errno));
        this.call = call;
        this.errno = errno;
    }

    /** The function that failed, for instance {@code cordon_spawn}. */
    public String call() {
        return call;
    }

    /** The error number, positive. */
    public int errno() {
        return errno;
    }

    /** The error's symbolic name, for instance {@code EPERM}. */
    public String errnoName() {
        return Errno.name(errno);
    }
}
