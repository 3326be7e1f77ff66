package dev.cordon.engine.vm;

import dev.cordon.bindings.NativeParts;
import dev.cordon.config.Config;
import dev.cordon.config.VmSettings;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.jail.JailBackend;
import dev.cordon.files.IoFaults;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.MachinePlan;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.plan.host.MachineSurvey;
import dev.cordon.result.Outcome;
import dev.cordon.result.PreparationListener;
import dev.cordon.vm.HostAcceleration;
import dev.cordon.vm.MachineFailed;
import dev.cordon.vm.MachineSettings;
import dev.cordon.vm.Machines;
import dev.cordon.vm.TemplatePreparation;
import dev.cordon.vm.image.Image;
import dev.cordon.vm.image.ImageConfig;
import dev.cordon.vm.image.ImageEntry;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.ImageProblem;
import dev.cordon.vm.layer.LayerStore;
import dev.cordon.vm.qemu.MachineShape;
import dev.cordon.vm.qemu.QemuAccelerator;
import dev.cordon.vm.qemu.QemuLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The machines of this host, each in a jail of its own; images, templates and the probe are made when the first job asks for one. */
public final class MachineHost implements VmBackend.Source, MachineSurvey, AutoCloseable {
    private static final Duration RENEWAL = Duration.ofSeconds(20);
    private static final String DOCTOR = "run 'cordon doctor' for what machines need";

    private final JailBackend host;
    private final Supplier<HostFacts> facts;
    private final Config config;
    private final PreparationListener preparation;
    private final UnaryOperator<QemuLauncher> confinement;
    private final Images images;
    private @Nullable Machines machines;

    /**
     * Machines in jails of an engine.
     *
     * @param facts what the jails need to know of the host
     */
    public MachineHost(JailBackend host, Supplier<HostFacts> facts, Config config, PreparationListener preparation) {
        this(host, facts, config, preparation, launcher -> launcher);
    }

    /** With something around whoever starts QEMU in its jail. */
    MachineHost(
            JailBackend host,
            Supplier<HostFacts> facts,
            Config config,
            PreparationListener preparation,
            UnaryOperator<QemuLauncher> confinement) {
        this.host = host;
        this.facts = facts;
        this.config = config;
        this.preparation = preparation;
        this.confinement = confinement;
        this.images = new Images(new LayerStore(store()), config.vm().images(), progress());
    }

    /** Whether this host is known to run machines as its operator wants them: under KVM, or emulated where that is allowed. Tries nothing. */
    public static boolean offers(Config config) {
        return Files.isExecutable(HostAcceleration.QEMU)
                && (config.vm().allowEmulated()
                        || HostAcceleration.known(storeOf(config))
                                .filter(verdict -> verdict.accelerator() == QemuAccelerator.KVM)
                                .isPresent());
    }

    private synchronized Machines machines() {
        Machines made = machines;
        if (made == null) {
            NativeParts natives = NativeParts.load();
            GuestRenewal renewal = new GuestRenewal(natives.kernel(), RENEWAL);
            made = new Machines(
                    natives,
                    store(),
                    config.vm().images(),
                    confinement.apply(new JailedQemu(host, facts.get(), store())),
                    renewal::renew,
                    progress(),
                    settings(config.vm()));
            machines = made;
        }
        return made;
    }

    private BuildProgress progress() {
        return new BuildProgress() {
            @Override
            public void step(int step, int of, String what) {
                preparation.step(step, of, what);
            }

            @Override
            public void end() {
                preparation.ended();
            }
        };
    }

    private static MachineSettings settings(VmSettings vm) {
        MachineSettings standard = MachineSettings.standard();
        return new MachineSettings(
                MachineSettings.Choice.valueOf(vm.accel().name()),
                vm.bootTimeout(),
                standard.restore(),
                vm.templates() != VmSettings.Templates.OFF,
                vm.pool());
    }

    @Override
    public MachineFacts facts(JobSpec job) throws HostUnsupportedException {
        String name = imageOf(job);
        try {
            HostAcceleration.Verdict verdict = machines().acceleration();
            known(name);
            // An image is not built for a job that is going to be refused.
            boolean wanted =
                    verdict.accelerator() == QemuAccelerator.KVM || config.vm().allowEmulated();
            return facts(
                    name,
                    verdict,
                    wanted ? inMachine(images.obtain(name)) : ImageRoot.ofMachine(new TreeMap<>(), ImageSettings.NONE));
        } catch (IOException e) {
            throw unsupported("vm isolation", e);
        }
    }

    private MachineFacts facts(String image, HostAcceleration.Verdict verdict, ImageRoot root) {
        boolean kvm = verdict.accelerator() == QemuAccelerator.KVM;
        return new MachineFacts(
                image,
                root,
                kvm ? dev.cordon.result.Acceleration.ACCELERATED : dev.cordon.result.Acceleration.EMULATED,
                kvm ? "" : verdict.reason(),
                config.vm().allowEmulated(),
                Runtime.getRuntime().availableProcessors());
    }

    @Override
    public ImageRoot image(String name) throws HostUnsupportedException {
        try {
            known(name);
            Image image = images.obtain(name);
            return new ImageRoot(images.directory(image).toRealPath(), entries(image), settings(image));
        } catch (IOException e) {
            throw unsupported("image " + name, e);
        }
    }

    /** Nothing is built, and no machine is tried. */
    @Override
    public MachineSurvey looking() {
        return new MachineSurvey() {
            @Override
            public MachineFacts facts(JobSpec job) throws HostUnsupportedException {
                HostAcceleration.Verdict verdict = HostAcceleration.known(store())
                        .orElse(new HostAcceleration.Verdict(
                                QemuAccelerator.TCG, "whether KVM boots a guest was not tried yet"));
                return MachineHost.this.facts(
                        imageOf(job), verdict, expected(imageOf(job)).inMachine());
            }

            @Override
            public ImageRoot image(String name) throws HostUnsupportedException {
                return expected(name);
            }
        };
    }

    /** What is there of an image; of one that is not built, what its description says. */
    private ImageRoot expected(String name) throws HostUnsupportedException {
        try {
            known(name);
            Optional<Image> image = images.find(name);
            SortedMap<String, HostEntry> entries = image.isPresent() ? entries(image.get()) : new TreeMap<>();
            ImageSettings settings = image.isPresent()
                    ? settings(image.get())
                    : new ImageSettings(defaults(images.config(name)), "", "");
            return new ImageRoot(store().resolve("root-" + name), entries, settings);
        } catch (IOException e) {
            throw unsupported("image " + name, e);
        }
    }

    private static HostUnsupportedException unsupported(String what, IOException e) {
        return switch (e) {
            case MachineFailed machine ->
                new HostUnsupportedException(what + ": " + machine.problem(), machine.remedy(), IoFaults.of(e));
            case ImageProblem image ->
                new HostUnsupportedException(what + ": " + image.problem(), image.remedy(), IoFaults.of(e));
            default -> new HostUnsupportedException(what + ": " + e.getMessage(), DOCTOR, IoFaults.of(e));
        };
    }

    /** A name that nothing has is an error of whoever gave it. */
    private void known(String name) throws IOException {
        if (!images.has(name)) {
            throw new InvalidJob(List.of(new FieldError(
                    "/image",
                    name,
                    "is not an image of this host",
                    "describe it in " + config.vm().images().resolve(name + ".toml")
                            + ", import it with: cordon image import " + name
                            + " ARCHIVE, or take one that 'cordon image ls' lists")));
        }
    }

    private static String imageOf(JobSpec job) {
        return Optional.ofNullable(job.containment().image()).orElse(Images.BASE);
    }

    private static Path storeOf(Config config) {
        return config.stateDirectory().resolve("vm");
    }

    private Path store() {
        return storeOf(config);
    }

    @Override
    public List<String> command(String name) throws HostUnsupportedException {
        try {
            known(name);
            return images.config(name).argv();
        } catch (IOException e) {
            throw unsupported("image " + name, e);
        }
    }

    private static ImageRoot inMachine(Image image) {
        return ImageRoot.ofMachine(entries(image), settings(image));
    }

    private static ImageSettings settings(Image image) {
        return new ImageSettings(
                defaults(image.config()), image.facts().users(), image.facts().groups());
    }

    private static CommandDefaults defaults(ImageConfig config) {
        return new CommandDefaults(config.environment(), config.workdir());
    }

    private static SortedMap<String, HostEntry> entries(Image image) {
        SortedMap<String, HostEntry> entries = new TreeMap<>();
        image.facts().entries().forEach((path, entry) -> {
            HostEntry known = entry(entry);
            if (known != null) {
                entries.put(path, known);
            }
        });
        return entries;
    }

    private static @Nullable HostEntry entry(ImageEntry entry) {
        return switch (entry.kind()) {
            case DIRECTORY -> new HostEntry.Directory();
            case FILE -> new HostEntry.RegularFile();
            case LINK -> new HostEntry.Link(entry.target());
            case OTHER -> null;
        };
    }

    @Override
    public LeasedMachine lease(MachinePlan plan, TemplatePreparation jail) throws SandboxException {
        String owner = config.vm().templates() == VmSettings.Templates.PER_OWNER ? plan.owner() : "";
        MachineShape shape = new MachineShape(plan.image(), plan.memory().bytes(), plan.cpus(), owner);
        try {
            return new QemuMachine(machines().take(shape, jail));
        } catch (MachineFailed e) {
            String console = e.console().isEmpty() ? "" : "; the console ends with: " + e.console();
            throw new SandboxException(
                    new Outcome.SetupFailed("machine", "", e.problem() + console, e.remedy(), IoFaults.of(e)));
        }
    }

    @Override
    public void close() {
        Machines made;
        synchronized (this) {
            made = machines;
            machines = null;
        }
        if (made != null) {
            made.close();
        }
    }
}
