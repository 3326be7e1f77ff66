package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.vm.qemu.MachineEnd;
import dev.cordon.vm.qemu.MachineShape;
import dev.cordon.vm.qemu.QemuAccelerator;
import dev.cordon.vm.qemu.RunningQemu;
import java.util.concurrent.CompletableFuture;

/** A machine that is up, with an identity of its own, and waits for what it is told. Closing it kills it; nothing of it is left then. */
public final class Machine implements AutoCloseable {
    private final MachineShape shape;
    private final QemuAccelerator accelerator;
    private final RunningQemu qemu;
    private final boolean prepared;

    Machine(MachineShape shape, QemuAccelerator accelerator, RunningQemu qemu, boolean prepared) {
        this.prepared = prepared;
        this.shape = shape;
        this.accelerator = accelerator;
        this.qemu = qemu;
    }

    /** What it is made of. */
    public MachineShape shape() {
        return shape;
    }

    /** Whether the processor itself executes the guest. */
    public boolean accelerated() {
        return accelerator == QemuAccelerator.KVM;
    }

    /** Whether its guest has done what the {@link TemplatePreparation} that was asked for does. */
    public boolean prepared() {
        return prepared;
    }

    /** The stream to the guest's agent: a non-blocking socket that belongs to this machine. */
    public Fd channel() {
        return qemu.channel();
    }

    /** Completes when the machine is gone, for whatever reason. */
    public CompletableFuture<MachineEnd> ended() {
        return qemu.ended();
    }

    /** The end of the guest's console and of QEMU's messages. */
    public String console() {
        return qemu.console();
    }

    @Override
    public void close() {
        qemu.close();
    }
}
