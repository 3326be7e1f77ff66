package dev.cordon.vm;

import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.LayerStore;
import dev.cordon.vm.qemu.MachineShape;
import dev.cordon.vm.qemu.QemuAccelerator;
import dev.cordon.vm.qemu.QemuCommand;
import dev.cordon.vm.qemu.QemuLauncher;
import dev.cordon.vm.qemu.RunningQemu;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where machines come from: booted, or restored from a template that is made on first use. Every boot has a deadline and is tried twice; a
 * damaged template is made anew once. What a failed attempt started is gone before the failure is reported.
 */
public final class Machines implements AutoCloseable {
    private final Images images;
    private final IdentityRenewal renewal;
    private final MachineSettings settings;
    private final HostAcceleration acceleration;
    private final QemuStart start;
    private final MachineTemplates templates;
    private final MachinePool pool;

    /**
     * A source of machines.
     *
     * @param natives      the native half
     * @param store        where images and templates are kept
     * @param descriptions the user's directory of image descriptions
     * @param launcher     starts QEMU
     * @param renewal      gives each guest its identity
     * @param progress     hears of what takes long
     * @param settings     the rest
     */
    public Machines(
            NativeParts natives,
            Path store,
            Path descriptions,
            QemuLauncher launcher,
            IdentityRenewal renewal,
            BuildProgress progress,
            MachineSettings settings) {
        Kernel kernel = natives.kernel();
        LayerStore layers = new LayerStore(store);
        this.images = new Images(layers, descriptions, progress);
        this.renewal = renewal;
        this.settings = settings;
        this.acceleration = new HostAcceleration(kernel, store, launcher, images);
        this.start = new QemuStart(kernel, launcher, settings);
        this.templates = new MachineTemplates(kernel, layers, start, progress, settings);
        this.pool = new MachinePool(
                settings.templates() ? this::restore : (shape, preparation) -> boot(shape), settings.poolSize());
    }

    /** What this host accelerates machines with; found out by a probe boot when it is not known yet. */
    public HostAcceleration.Verdict acceleration() throws MachineFailed {
        if (settings.choice() == MachineSettings.Choice.TCG) {
            return new HostAcceleration.Verdict(QemuAccelerator.TCG, "vm.accel = tcg");
        }
        HostAcceleration.Verdict verdict;
        try {
            verdict = acceleration.verdict();
        } catch (IOException e) {
            throw MachineFailed.at(MachineFailed.Stage.IMAGE, e, "");
        }
        if (settings.choice() == MachineSettings.Choice.KVM && verdict.accelerator() != QemuAccelerator.KVM) {
            throw new MachineFailed(
                    MachineFailed.Stage.LAUNCH,
                    "vm.accel = kvm, but " + verdict.reason(),
                    "mend KVM on this host, or set vm.accel = \"auto\" and vm.allow_emulated = true",
                    "",
                    null);
        }
        return verdict;
    }

    /** A machine: one that waits already, or a new one. It may be prepared; what it tells counts. */
    public Machine take(MachineShape shape, TemplatePreparation preparation) throws MachineFailed {
        return pool.take(shape, preparation);
    }

    /** Boots a machine from its kernel on. */
    public Machine boot(MachineShape shape) throws MachineFailed {
        MachineParts parts = parts(shape);
        try {
            return attemptBoot(parts);
        } catch (MachineFailed first) {
            if (first.stage() != MachineFailed.Stage.BOOT) {
                throw first;
            }
            return attemptBoot(parts);
        }
    }

    /** Restores a machine from a template that was taken after a preparation, and is made first when there is none. */
    public Machine restore(MachineShape shape, TemplatePreparation preparation) throws MachineFailed {
        MachineParts parts = parts(shape);
        try {
            return attemptRestore(parts, preparation);
        } catch (MachineFailed first) {
            if (first.stage() != MachineFailed.Stage.TEMPLATE) {
                throw first;
            }
            templates.forget(parts, preparation);
            return attemptRestore(parts, preparation);
        }
    }

    private MachineParts parts(MachineShape shape) throws MachineFailed {
        try {
            QemuCommand command =
                    new QemuCommand(HostAcceleration.program(), acceleration().accelerator(), shape);
            return new MachineParts(shape, images.obtain(shape.image()), images.bootFiles(), command);
        } catch (MachineFailed e) {
            throw e;
        } catch (IOException e) {
            throw MachineFailed.at(MachineFailed.Stage.IMAGE, e, "");
        }
    }

    private Machine attemptBoot(MachineParts parts) throws MachineFailed {
        return renewed(parts, start.boot(parts, start.memory(parts.shape()), false), false);
    }

    private Machine attemptRestore(MachineParts parts, TemplatePreparation preparation) throws MachineFailed {
        try (MachineTemplate template = templates.obtain(parts, preparation)) {
            return renewed(parts, start.restore(parts, template, template.ram(), false), template.prepared());
        } catch (MachineFailed e) {
            throw e;
        } catch (IOException e) {
            throw MachineFailed.at(MachineFailed.Stage.LAUNCH, e, "");
        }
    }

    private Machine renewed(MachineParts parts, RunningQemu qemu, boolean prepared) throws MachineFailed {
        try {
            renewal.renew(qemu.channel());
            return new Machine(parts.shape(), parts.command().accelerator(), qemu, prepared);
        } catch (IOException e) {
            throw QemuStart.over(MachineFailed.Stage.RENEWAL, e, qemu);
        }
    }

    /** Ends the machines of the pool and forgets the templates; machines that were handed out live on. */
    @Override
    public void close() {
        pool.close();
        templates.close();
    }
}
