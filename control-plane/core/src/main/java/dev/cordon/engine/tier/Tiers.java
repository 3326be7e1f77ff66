package dev.cordon.engine.tier;

import dev.cordon.engine.Backend;
import dev.cordon.engine.Execution;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.vm.MachineHost;
import dev.cordon.engine.vm.VmBackend;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.result.OutputListener;
import dev.cordon.result.PoolState;
import dev.cordon.seccomp.learn.ObservedRun;
import java.util.concurrent.CompletableFuture;

/**
 * Gives every plan to the engine of its level, of one host. Owns all of them.
 *
 * @param jails    runs jails and plain processes
 * @param vms      runs virtual machines
 * @param machines where those come from
 */
public record Tiers(Backend jails, VmBackend vms, MachineHost machines) implements Backend {
    private Backend of(SandboxPlan plan) {
        return plan.tier() instanceof Tier.Machine ? vms : jails;
    }

    @Override
    public Execution start(Plan plan, OutputListener listener) throws SandboxException {
        return of(plan.sandbox()).start(plan, listener);
    }

    @Override
    public OpenSandbox open(SandboxPlan plan) throws SandboxException {
        return of(plan).open(plan);
    }

    @Override
    public Execution observe(Plan plan, OutputListener listener, ObservedRun observed) throws SandboxException {
        return of(plan.sandbox()).observe(plan, listener, observed);
    }

    @Override
    public CompletableFuture<Integer> prepare(SandboxPlan plan) {
        return of(plan).prepare(plan);
    }

    @Override
    public PoolState pool() {
        return jails.pool();
    }

    /** The jails last: QEMU sits in them. */
    @Override
    public void close() {
        vms.close();
        machines.close();
        jails.close();
    }
}
