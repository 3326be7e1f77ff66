package dev.cordon.engine.sandbox;

import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.bindings.wire.request.Signal;
import dev.cordon.engine.SandboxException;
import dev.cordon.result.Outcome;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** The clocks that the supervisor of a sandbox keeps. */
record SupervisorClocks(LiveSandbox sandbox) implements PauseSwitch.Clocks {
    private static final long ANSWER_SECONDS = 20;

    @Override
    public void run() {
        sandbox.send(Signal.clocks(true), 0, List.of());
    }

    /** A supervisor reads one message after the other: the answer to a later one tells that this one was read. */
    @Override
    public void stop() throws SandboxException {
        sandbox.send(Signal.clocks(false), 0, List.of());
        try {
            var _ = sandbox.request(new FileRequest(FileOp.STAT, "/", 0))
                    .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new SandboxException(new Outcome.SetupFailed(
                    "pause",
                    "",
                    "the sandbox did not answer before it was to be paused",
                    "try again, or close the sandbox"));
        }
    }
}
