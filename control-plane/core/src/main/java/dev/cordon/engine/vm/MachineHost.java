package dev.cordon.engine.vm;

import dev.cordon.api.Acceleration;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Outcome;
import dev.cordon.api.PreparationListener;
import dev.cordon.bindings.Natives;
import dev.cordon.config.Config;
import dev.cordon.config.VmSettings;
import dev.cordon.engine.JailBackend;
import dev.cordon.engine.SandboxException;
import dev.cordon.plan.HostEntry;
import dev.cordon.plan.HostFacts;
import dev.cordon.plan.HostUnsupportedException;
import dev.cordon.plan.MachineFacts;
import dev.cordon.plan.MachinePlan;
import dev.cordon.plan.MachineSurvey;
import dev.cordon.vm.Accelerator;
import dev.cordon.vm.MachineFailed;
import dev.cordon.vm.MachineSettings;
import dev.cordon.vm.MachineShape;
import dev.cordon.vm.Machines;
import dev.cordon.vm.image.ImageEntry;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.image.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The machines of this host, each in a jail of its own; images, templates and the probe are made when the first job asks for one. */
public final class MachineHost implements VmBackend.Source, MachineSurvey, AutoCloseable {
    private static final Duration RENEWAL = Duration.ofSeconds(20);

    private final JailBackend host;
    private final Supplier<HostFacts> facts;
    private final Config config;
    private final PreparationListener preparation;
    private @Nullable Machines machines;

    /**
     * Machines in jails of an engine.
     *
     * @param facts what the jails need to know of the host
     */
    public MachineHost(JailBackend host, Supplier<HostFacts> facts, Config config, PreparationListener preparation) {
        this.host = host;
        this.facts = facts;
        this.config = config;
        this.preparation = preparation;
    }

    private synchronized Machines machines() {
        Machines made = machines;
        if (made == null) {
            Natives natives = Natives.load();
            GuestRenewal renewal = new GuestRenewal(natives.kernel(), RENEWAL);
            made = new Machines(
                    natives,
                    config.stateDirectory().resolve("vm"),
                    config.vm().images(),
                    new JailedQemu(host, facts.get()),
                    renewal::renew,
                    progress(),
                    settings(config.vm()));
            machines = made;
        }
        return made;
    }

    private Progress progress() {
        return new Progress() {
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
                vm.templates(),
                vm.pool());
    }

    @Override
    public MachineFacts facts(JobSpec job) throws HostUnsupportedException {
        try {
            var verdict = machines().acceleration();
            Acceleration acceleration =
                    verdict.accelerator() == Accelerator.KVM ? Acceleration.ACCELERATED : Acceleration.EMULATED;
            boolean allowed = config.vm().allowEmulated();
            // An image is not built for a job that is going to be refused.
            boolean wanted = acceleration == Acceleration.ACCELERATED || allowed;
            return new MachineFacts(
                    Images.BASE,
                    wanted ? entries() : new TreeMap<>(),
                    acceleration,
                    acceleration == Acceleration.ACCELERATED ? "" : verdict.reason(),
                    allowed,
                    Runtime.getRuntime().availableProcessors());
        } catch (MachineFailed e) {
            throw new HostUnsupportedException("vm isolation: " + e.problem(), e.remedy());
        } catch (IOException e) {
            throw new HostUnsupportedException(
                    "vm isolation: " + e.getMessage(), "run 'cordon doctor' for what machines need");
        }
    }

    private SortedMap<String, HostEntry> entries() throws IOException {
        SortedMap<String, HostEntry> entries = new TreeMap<>();
        machines().images().obtain(Images.BASE).facts().entries().forEach((path, entry) -> {
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
    public Lease lease(MachinePlan plan) throws SandboxException {
        MachineShape shape = new MachineShape(plan.image(), plan.memory().bytes(), plan.cpus());
        try {
            return new MachineLease(machines().take(shape));
        } catch (MachineFailed e) {
            String console = e.console().isEmpty() ? "" : "; the console ends with: " + e.console();
            throw new SandboxException(new Outcome.SetupFailed("machine", "", e.problem() + console, e.remedy()));
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
