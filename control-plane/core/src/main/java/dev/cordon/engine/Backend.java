package dev.cordon.engine;

import dev.cordon.api.OutputListener;
import dev.cordon.plan.Plan;

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
    OpenSandbox open(Plan plan) throws SandboxException;

    @Override
    void close();
}
