package dev.cordon.engine;

import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.host.MachineSurvey;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.PoolState;
import dev.cordon.seccomp.learn.ObservedRun;
import java.util.concurrent.CompletableFuture;

/** Starts what plans describe. Owns what its executions share; closing it ends every execution that is still running. */
public interface Backend extends AutoCloseable {
    /**
     * Builds the sandbox and starts the command. Returns when the command runs or is known not to be executable.
     *
     * @param plan     what to do
     * @param listener hears the output as it comes
     * @throws SandboxException when the sandbox could not be made; nothing of the job ran or is left
     */
    Execution start(Plan plan, OutputListener listener) throws SandboxException;

    /**
     * Builds a sandbox that stays open; the plan's own command is not started. Returns when it stands.
     *
     * @param plan what to build
     * @throws SandboxException when it could not be made; nothing of it is left
     */
    OpenSandbox open(SandboxPlan plan) throws SandboxException;

    /**
     * Builds a sandbox for a trusted command whose calls pass and are told, and starts it. The plan's profile does not count.
     *
     * @param plan     what to do
     * @param listener hears the output as it comes
     * @param observed   hears the calls
     * @throws SandboxException when the sandbox could not be made, or cannot learn; nothing of the job ran or is left
     */
    default Execution observe(Plan plan, OutputListener listener, ObservedRun observed) throws SandboxException {
        throw new SandboxException(new Outcome.HostUnsupported(
                "learning at isolation " + plan.isolation(), "learn in a jail: --isolation jail"));
    }

    /**
     * Makes ready what jobs with a plan like this one need, as far as the settings ask for it.
     *
     * @return how many sandboxes wait for them, once it is ready
     */
    default CompletableFuture<Integer> prepare(SandboxPlan plan) {
        return CompletableFuture.completedFuture(0);
    }

    /** What its pool of waiting sandboxes is doing. */
    default PoolState pool() {
        return PoolState.NONE;
    }

    /** The machines and images of this host, for planning. */
    default MachineSurvey machines() {
        return MachineSurvey.none();
    }

    @Override
    void close();
}
