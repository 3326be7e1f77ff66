package dev.cordon.vm.qemu;

import java.util.concurrent.CompletableFuture;

/** A QEMU that was started. */
public interface QemuProcess {
    /** Completes when it has ended and nothing of it is left, with how: for people. */
    CompletableFuture<String> exited();

    /** Ends it at once, whatever it does; returns without waiting. */
    void kill();
}
