package dev.cordon.engine.pool;

import dev.cordon.config.PoolSettings;
import dev.cordon.engine.Backend;
import dev.cordon.engine.Execution;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxException;
import dev.cordon.job.JobId;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.result.OutputListener;
import dev.cordon.result.PoolState;
import dev.cordon.seccomp.learn.ObservedRun;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A backend whose jobs start in sandboxes that are open already, as long as there are any; then they start cold, as without. */
public final class PooledBackend implements Backend {
    private final Backend backend;
    private final WarmPool pool;

    /**
     * A pool over a backend, which is closed with it.
     *
     * @param ids names for the sandboxes
     */
    public PooledBackend(Backend backend, PoolSettings settings, Supplier<JobId> ids) {
        this.backend = backend;
        this.pool = new WarmPool(backend, settings, ids, LibraryCacheFile::changed);
        pool.start();
    }

    @Override
    public Execution start(Plan plan, OutputListener listener) throws SandboxException {
        Optional<OpenSandbox> waiting = SandboxShape.of(plan.sandbox()).flatMap(pool::take);
        try {
            if (waiting.isEmpty()) {
                return backend.start(plan, listener);
            }
            listener.warm();
            return waiting.get().last(plan.exec(), listener);
        } finally {
            pool.refill();
        }
    }

    @Override
    public OpenSandbox open(SandboxPlan plan) throws SandboxException {
        return backend.open(plan);
    }

    @Override
    public Execution observe(Plan plan, OutputListener listener, ObservedRun observed) throws SandboxException {
        return backend.observe(plan, listener, observed);
    }

    /** Opens sandboxes for plans like this one; see {@code Cordon.prepare}. */
    @Override
    public CompletableFuture<Integer> prepare(SandboxPlan plan) {
        return SandboxShape.of(plan).map(pool::want).orElseGet(() -> CompletableFuture.completedFuture(0));
    }

    @Override
    public PoolState pool() {
        return pool.state();
    }

    @Override
    public void close() {
        try {
            pool.close();
        } finally {
            backend.close();
        }
    }
}
