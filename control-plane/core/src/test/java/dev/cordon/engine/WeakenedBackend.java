package dev.cordon.engine;

import dev.cordon.api.OutputListener;
import dev.cordon.bindings.Natives;
import dev.cordon.bindings.wire.Fault;
import dev.cordon.cgroup.Owner;
import dev.cordon.config.Config;
import dev.cordon.plan.Plan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** An engine with the supervisor's test build, whose jails lack something: what the escape suite has to notice. */
public final class WeakenedBackend implements Backend {
    private final JailBackend backend;
    private final UnaryOperator<Plan> change;

    private WeakenedBackend(JailBackend backend, UnaryOperator<Plan> change) {
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
            Config config, Owner owner, Path plane, Optional<Fault> fault, UnaryOperator<Plan> change) {
        try {
            Natives natives = Natives.load();
            byte[] program = Files.readAllBytes(Sandboxes.faultySupervisor());
            return new WeakenedBackend(
                    new JailBackend(
                            natives,
                            natives.kernel().sealed("cordon-supervisor", program),
                            fault,
                            config,
                            owner,
                            plane),
                    change);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Execution start(Plan plan, OutputListener listener) throws SandboxException {
        return backend.start(change.apply(plan), listener);
    }

    @Override
    public OpenSandbox open(Plan plan) throws SandboxException {
        return backend.open(change.apply(plan));
    }

    @Override
    public void close() {
        backend.close();
    }
}
