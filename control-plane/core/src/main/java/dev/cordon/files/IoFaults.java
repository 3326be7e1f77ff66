package dev.cordon.files;

import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.result.Outcome;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What kind of failure an exception is, by the kernel's answer in it or in what caused it. */
public final class IoFaults {
    private IoFaults() {}

    /** Of an exception. */
    public static Outcome.Fault of(Throwable problem) {
        Outcome.Fault fault = Outcome.Fault.OTHER;
        for (@Nullable Throwable cause = problem;
                cause != null && fault == Outcome.Fault.OTHER;
                cause = cause.getCause()) {
            fault = Outcome.Fault.of(errno(cause));
        }
        return fault;
    }

    private static String errno(Throwable problem) {
        return switch (problem) {
            case ErrnoException kernel -> kernel.errnoName();
            case IOException io -> IoErrno.of(io);
            default -> "";
        };
    }
}
