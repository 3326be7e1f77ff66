package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.Natives;
import dev.cordon.bindings.OpenFlag;
import dev.cordon.vm.image.BootFiles;
import dev.cordon.vm.image.Hash;
import dev.cordon.vm.image.Image;
import dev.cordon.vm.image.ImageProblem;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.image.Layer;
import dev.cordon.vm.image.Layers;
import dev.cordon.vm.image.Progress;
import dev.cordon.vm.qemu.Deadline;
import dev.cordon.vm.qemu.Qemu;
import dev.cordon.vm.qemu.QemuCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where machines come from: booted, or restored from a template that is made on first use. Every boot has a deadline and is tried twice; a
 * damaged template is made anew once. What a failed attempt started is gone before the failure is reported.
 */
public final class Machines implements AutoCloseable {
    private final Kernel kernel;
    private final Layers layers;
    private final Images images;
    private final QemuLauncher launcher;
    private final Renewal renewal;
    private final Progress progress;
    private final MachineSettings settings;
    private final Acceleration acceleration;
    private final Map<String, Template> templates = new HashMap<>();
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
            Natives natives,
            Path store,
            Path descriptions,
            QemuLauncher launcher,
            Renewal renewal,
            Progress progress,
            MachineSettings settings) {
        this.kernel = natives.kernel();
        this.layers = new Layers(store);
        this.images = new Images(layers, descriptions, natives, progress);
        this.launcher = launcher;
        this.renewal = renewal;
        this.progress = progress;
        this.settings = settings;
        this.acceleration = new Acceleration(kernel, store, launcher, images);
        this.pool = new MachinePool(settings.templates() ? this::restore : this::boot, settings.poolSize());
    }

    /** The images that machines boot from. */
    public Images images() {
        return images;
    }

    /** What this host accelerates machines with; found out by a probe boot when it is not known yet. */
    public Acceleration.Verdict acceleration() throws MachineFailed {
        if (settings.choice() == MachineSettings.Choice.TCG) {
            return new Acceleration.Verdict(Accelerator.TCG, "vm.accel = tcg");
        }
        Acceleration.Verdict verdict;
        try {
            verdict = acceleration.verdict();
        } catch (IOException e) {
            throw failed(MachineFailed.Stage.IMAGE, e, "");
        }
        if (settings.choice() == MachineSettings.Choice.KVM && verdict.accelerator() != Accelerator.KVM) {
            throw new MachineFailed(
                    MachineFailed.Stage.LAUNCH,
                    "vm.accel = kvm, but " + verdict.reason(),
                    "mend KVM on this host, or set vm.accel = \"auto\" and vm.allow-emulated = true",
                    "",
                    null);
        }
        return verdict;
    }

    /** A restored machine: one that waits already, or a new one. */
    public Machine take(MachineShape shape) throws MachineFailed {
        return pool.take(shape);
    }

    /** Boots a machine from its kernel on. */
    public Machine boot(MachineShape shape) throws MachineFailed {
        Parts parts = parts(shape);
        try {
            return attemptBoot(parts);
        } catch (MachineFailed first) {
            if (first.stage() != MachineFailed.Stage.BOOT) {
                throw first;
            }
            return attemptBoot(parts);
        }
    }

    /** Restores a machine from the template of its shape, which is made first when there is none. */
    public Machine restore(MachineShape shape) throws MachineFailed {
        Parts parts = parts(shape);
        try {
            return attemptRestore(parts);
        } catch (MachineFailed first) {
            if (first.stage() != MachineFailed.Stage.TEMPLATE) {
                throw first;
            }
            forget(parts);
            return attemptRestore(parts);
        }
    }

    /** What a machine of a shape is put together from. */
    private record Parts(MachineShape shape, Image image, BootFiles boot, QemuCommand command) {
        private String key() throws IOException {
            return new Hash()
                    .add(command.identity())
                    .add(image.key())
                    .add(boot.key())
                    .add(Acceleration.qemuIdentity())
                    .add(processor())
                    .hex();
        }

        /** A template's guest counts the cycles of the processor that it was made on. */
        private static String processor() throws IOException {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .orElse("");
        }
    }

    private Parts parts(MachineShape shape) throws MachineFailed {
        try {
            QemuCommand command =
                    new QemuCommand(Acceleration.program(), acceleration().accelerator(), shape);
            return new Parts(shape, images.obtain(shape.image()), images.bootFiles(), command);
        } catch (MachineFailed e) {
            throw e;
        } catch (IOException e) {
            throw failed(MachineFailed.Stage.IMAGE, e, "");
        }
    }

    private Machine attemptBoot(Parts parts) throws MachineFailed {
        Qemu qemu = startBoot(parts, anonymous(parts), false);
        return renewed(parts, qemu);
    }

    private Machine attemptRestore(Parts parts) throws MachineFailed {
        Template template = template(parts);
        Deadline deadline = Deadline.in(settings.restore());
        Qemu qemu;
        try {
            qemu = Qemu.start(
                    kernel, launcher, template.ram(), List.of(open(parts.image().root())), parts.command()::restore);
        } catch (IOException e) {
            throw failed(MachineFailed.Stage.LAUNCH, e, "");
        }
        MachineFailed.Stage stage = MachineFailed.Stage.LAUNCH;
        try (Fd state = template.state()) {
            qemu.begin(deadline);
            // A QEMU that is there and does not take the state says something of the template; one that hangs does not.
            stage = MachineFailed.Stage.TEMPLATE;
            qemu.load(state, deadline);
        } catch (IOException e) {
            throw over(stage, e, qemu);
        }
        return renewed(parts, qemu);
    }

    private Machine renewed(Parts parts, Qemu qemu) throws MachineFailed {
        try {
            renewal.renew(qemu.channel());
            return new Machine(parts.shape(), parts.command().accelerator(), qemu);
        } catch (IOException e) {
            throw over(MachineFailed.Stage.RENEWAL, e, qemu);
        }
    }

    /** Starts QEMU with the kernel, and waits until the guest is up. */
    private Qemu startBoot(Parts parts, Fd ram, boolean keepMemory) throws MachineFailed {
        Deadline deadline = Deadline.in(settings.boot());
        Qemu qemu;
        try {
            Fd image = sealed(parts.boot().kernel());
            Fd initramfs = sealed(parts.boot().initramfs());
            qemu = Qemu.start(
                    kernel,
                    launcher,
                    ram,
                    List.of(open(parts.image().root())),
                    wires -> parts.command().boot(wires, image, initramfs, keepMemory));
        } catch (IOException e) {
            throw failed(MachineFailed.Stage.LAUNCH, e, "");
        }
        MachineFailed.Stage stage = MachineFailed.Stage.LAUNCH;
        try {
            qemu.begin(deadline);
            stage = MachineFailed.Stage.BOOT;
            qemu.awaitHello(deadline);
            return qemu;
        } catch (IOException e) {
            throw over(stage, e, qemu);
        }
    }

    private synchronized Template template(Parts parts) throws MachineFailed {
        try {
            String key = parts.key();
            Template loaded = templates.get(key);
            if (loaded == null) {
                Layer layer = layers.obtain(Template.KIND, key, (directory, scratch) -> makeTemplate(parts, directory));
                loaded = Template.load(kernel, layer);
                templates.put(key, loaded);
            }
            return loaded;
        } catch (MachineFailed e) {
            throw e;
        } catch (IOException e) {
            throw failed(MachineFailed.Stage.TEMPLATE, e, "");
        }
    }

    private void makeTemplate(Parts parts, Path directory) throws IOException {
        progress.step(
                1, 1, "booting once, to make a template of " + parts.shape().image());
        try {
            attemptTemplate(parts, directory);
        } catch (MachineFailed first) {
            if (first.stage() != MachineFailed.Stage.BOOT) {
                throw first;
            }
            attemptTemplate(parts, directory);
        } finally {
            progress.end();
        }
    }

    private void attemptTemplate(Parts parts, Path directory) throws IOException {
        try (Fd ram = anonymous(parts)) {
            try (Qemu qemu = startBoot(parts, kernel.duplicate(ram), true);
                    Fd state = Template.newState(kernel, directory)) {
                qemu.save(state, Deadline.in(settings.restore()));
            }
            Template.keep(kernel, ram, parts.shape().memory(), directory);
        }
    }

    private synchronized void forget(Parts parts) throws MachineFailed {
        try {
            String key = parts.key();
            Template template = templates.remove(key);
            if (template != null) {
                template.close();
            }
            layers.remove(layers.list(Template.KIND, key));
        } catch (IOException e) {
            throw failed(MachineFailed.Stage.TEMPLATE, e, "");
        }
    }

    private Fd anonymous(Parts parts) throws MachineFailed {
        try {
            return kernel.memory("cordon-machine", parts.shape().memory());
        } catch (IOException e) {
            throw failed(MachineFailed.Stage.LAUNCH, e, "");
        }
    }

    private Fd open(Path file) throws IOException {
        return kernel.open(file, Set.of(OpenFlag.READ), 0);
    }

    private Fd sealed(Path file) throws IOException {
        try (Fd opened = open(file)) {
            return kernel.sealedCopy(String.valueOf(file.getFileName()), opened);
        }
    }

    /** Ends a machine that did not come up. */
    private static MachineFailed over(MachineFailed.Stage stage, IOException e, Qemu qemu) {
        qemu.close();
        return failed(stage, e, qemu.console());
    }

    private static MachineFailed failed(MachineFailed.Stage stage, IOException e, String console) {
        String remedy = e instanceof ImageProblem problem ? problem.remedy() : remedy(stage);
        return new MachineFailed(stage, String.valueOf(e.getMessage()), remedy, console, e);
    }

    private static String remedy(MachineFailed.Stage stage) {
        return switch (stage) {
            case IMAGE -> "build it again with: cordon image build --refresh";
            case LAUNCH -> "see what QEMU said; cordon doctor checks what it needs";
            case BOOT -> "see the end of the guest's console; a loaded host needs a longer vm.boot-timeout";
            case TEMPLATE, RENEWAL ->
                "try again; if it stays, remove the directory templates below the state directory's vm";
        };
    }

    /** Ends the machines of the pool and forgets the templates; machines that were handed out live on. */
    @Override
    public void close() {
        pool.close();
        synchronized (this) {
            templates.values().forEach(Template::close);
            templates.clear();
        }
    }
}
