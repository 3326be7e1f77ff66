package dev.cordon.engine;

import dev.cordon.plan.Plan;

/** Starts what plans describe. Owns what its executions share; closing it ends every execution that is still running. */
public interface Backend extends AutoCloseable {
    /**
     * Builds the sandbox and starts the command. Returns when the command runs or is known not to be executable.
     *
     * @throws SandboxException when the sandbox could not be made; nothing of the job ran or is left
     */
    Execution start(Plan plan) throws SandboxException;

    @Override
    void close();
}
