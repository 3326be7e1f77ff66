package dev.cordon.engine.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.vm.Machine;
import java.util.concurrent.CompletableFuture;

/** A machine of {@code dev.cordon.vm} as a sandbox leases it. */
final class QemuMachine implements LeasedMachine {
    private final Machine machine;
    private final CompletableFuture<String> ended;

    QemuMachine(Machine machine) {
        this.machine = machine;
        this.ended = machine.ended().thenApply(end -> end.kind() + ": " + end.detail());
    }

    @Override
    public Fd channel() {
        return machine.channel();
    }

    @Override
    public CompletableFuture<String> ended() {
        return ended;
    }

    /** Closing waits until nothing is left, which the reactor's thread must not. */
    @Override
    public void kill() {
        Thread.ofVirtual().name("cordon-machine-end").start(machine::close);
    }

    @Override
    public boolean accelerated() {
        return machine.accelerated();
    }

    @Override
    public boolean prepared() {
        return machine.prepared();
    }

    @Override
    public String console() {
        return machine.console();
    }
}
