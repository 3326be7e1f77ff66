package dev.cordon.engine.vm;

import dev.cordon.bindings.Fd;
import java.util.concurrent.CompletableFuture;

/** A machine that serves one sandbox and nobody else before or after. */
public interface LeasedMachine {
    /** The channel to its agent: a stream socket that does not block. It belongs to the lease. */
    Fd channel();

    /** Completed when the machine is gone, with how it ended; never exceptionally. */
    CompletableFuture<String> ended();

    /** Ends the machine by force; does not wait. */
    void kill();

    /** Whether the processor's own means separate it from the host. */
    boolean accelerated();

    /** Whether the jail that was asked for stands in it already. */
    default boolean prepared() {
        return false;
    }

    /** The last lines of its console, for a report. */
    String console();
}
