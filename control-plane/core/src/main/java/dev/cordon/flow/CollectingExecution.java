package dev.cordon.flow;

import dev.cordon.engine.Backend;
import dev.cordon.engine.Execution;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxException;
import dev.cordon.plan.Plan;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A job whose sandbox stays for a moment when its program is over, so that files can be collected; then it ends, and the result is known. */
public final class CollectingExecution extends RelayedExecution {
    private final OpenSandbox sandbox;
    private final Execution command;
    private final CompletableFuture<Result> result;

    private CollectingExecution(
            OpenSandbox sandbox, Execution command, String workspace, List<String> globs, OutputListener listener) {
        this.sandbox = sandbox;
        this.command = command;
        this.result = command.result()
                .thenApplyAsync(ended -> collected(ended, workspace, globs, listener), Thread::startVirtualThread);
    }

    /** Starts a job in a sandbox of its own. */
    public static Execution start(
            Backend backend, Plan plan, String workspace, List<String> globs, OutputListener listener)
            throws SandboxException {
        OpenSandbox sandbox = backend.open(plan.sandbox());
        try {
            return new CollectingExecution(sandbox, sandbox.only(plan.exec(), listener), workspace, globs, listener);
        } catch (SandboxException | RuntimeException | Error e) {
            sandbox.close();
            throw e;
        }
    }

    private Result collected(Result ended, String workspace, List<String> globs, OutputListener listener) {
        try (sandbox) {
            sandbox.empty(); // what the program left behind has no clock any more, and would go on meanwhile
            return ArtifactCollector.collect(ended, sandbox.files(), workspace, globs, listener);
        } catch (RuntimeException | Error e) { // a listener's, too
            return ended.collected(
                    new Result.Collected(List.of(), true)); // the end stands, and nobody knows what there was
        }
    }

    @Override
    public CompletableFuture<Result> result() {
        return result;
    }

    @Override
    Execution current() {
        return command;
    }

    @Override
    public void close() {
        command.close();
        result.join();
    }
}
