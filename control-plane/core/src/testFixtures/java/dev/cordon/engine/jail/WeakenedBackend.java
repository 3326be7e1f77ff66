package dev.cordon.engine.jail;

import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.filter.FilterSpec;
import dev.cordon.bindings.wire.plan.InjectedFault;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.config.Config;
import dev.cordon.engine.Backend;
import dev.cordon.engine.Execution;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.Sandboxes;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.result.OutputListener;
import dev.cordon.seccomp.compile.ProfileCompiler;
import dev.cordon.seccomp.compile.ProfileFilters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** An engine with the supervisor's test build, whose jails lack something: what the escape suite has to notice. */
public final class WeakenedBackend implements Backend {
    private final JailBackend backend;
    private final UnaryOperator<SandboxPlan> change;

    private WeakenedBackend(JailBackend backend, UnaryOperator<SandboxPlan> change) {
        this.backend = backend;
        this.change = change;
    }

    /**
     * Opens it.
     *
     * @param fault  what the supervisor leaves out
     * @param change what happens to each plan, and between planning and starting
     */
    public static Backend open(
            Config config,
            ControlPlaneName owner,
            Path plane,
            Optional<InjectedFault> fault,
            UnaryOperator<SandboxPlan> change) {
        return open(config, owner, plane, fault, change, new PlanFilters(NativeParts.load()));
    }

    /** One whose filters let everything through, whatever the profile: a plan has to name a file for it, for others come compiled. */
    public static Backend unfiltered(
            Config config, ControlPlaneName owner, Path plane, UnaryOperator<SandboxPlan> change) {
        FilterSpec everything = new FilterSpec(new FilterAction.Allow(), new FilterAction.KillProcess(), List.of());
        ProfileCompiler compiler =
                new ProfileCompiler(spec -> NativeParts.load().seccomp().compile(everything));
        return open(
                config, owner, plane, Optional.empty(), change, new PlanFilters(new ProfileFilters(() -> compiler)));
    }

    private static Backend open(
            Config config,
            ControlPlaneName owner,
            Path plane,
            Optional<InjectedFault> fault,
            UnaryOperator<SandboxPlan> change,
            PlanFilters filters) {
        try {
            NativeParts natives = NativeParts.load();
            byte[] program = Files.readAllBytes(Sandboxes.faultySupervisor());
            return new WeakenedBackend(
                    new JailBackend(
                            natives,
                            natives.kernel().sealed("cordon-supervisor", program),
                            fault,
                            config,
                            owner,
                            plane,
                            filters),
                    change);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Execution start(Plan plan, OutputListener listener) throws SandboxException {
        return backend.start(new Plan(change.apply(plan.sandbox()), plan.exec()), listener);
    }

    @Override
    public OpenSandbox open(SandboxPlan plan) throws SandboxException {
        return backend.open(change.apply(plan));
    }

    @Override
    public void close() {
        backend.close();
    }
}
