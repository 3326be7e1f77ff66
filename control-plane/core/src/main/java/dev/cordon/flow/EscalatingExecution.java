package dev.cordon.flow;

import dev.cordon.engine.Execution;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A jailed job that is run again in a virtual machine when it does what its rule watches for: once, and one execution to those outside.
 * The first attempt is over, and nothing of it is left, before the second begins.
 */
public final class EscalatingExecution extends RelayedExecution {
    private final SecondAttempt again;
    private final OutputListener listener;
    private final CompletableFuture<Result> result;
    private Execution current;
    private boolean cancelled;

    public EscalatingExecution(Execution first, SecondAttempt again, OutputListener listener) {
        this.current = first;
        this.again = again;
        this.listener = listener;
        this.result = first.result().thenCompose(this::judged);
    }

    /** On the engine's thread, which must not wait for a machine. */
    private CompletableFuture<Result> judged(Result first) {
        Optional<Suspicion> trip = Suspicion.of(first);
        CompletableFuture<Result> judged = CompletableFuture.completedFuture(first);
        return trip.isEmpty() || isCancelled()
                ? judged
                : judged.thenComposeAsync(ended -> escalate(ended, trip.get()), Thread::startVirtualThread);
    }

    private CompletableFuture<Result> escalate(Result first, Suspicion suspicion) {
        try {
            Execution second = again.begin(first, suspicion, listener);
            take(second);
            return second.result()
                    .thenApply(ended -> ended.escalatedFrom(first, suspicion.cause(), suspicion.reason()));
        } catch (SecondAttempt.Impossible e) {
            return CompletableFuture.completedFuture(
                    first.notEscalated(suspicion.cause(), suspicion.reason(), String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            // Closed meanwhile, or a listener that failed: the first attempt's end stands.
            return CompletableFuture.completedFuture(
                    first.notEscalated(suspicion.cause(), suspicion.reason(), e.toString()));
        }
    }

    private synchronized void take(Execution second) {
        current = second;
        if (cancelled) {
            second.cancel();
        }
    }

    private synchronized boolean isCancelled() {
        return cancelled;
    }

    @Override
    synchronized Execution current() {
        return current;
    }

    @Override
    public CompletableFuture<Result> result() {
        return result;
    }

    @Override
    public synchronized void cancel() {
        cancelled = true;
        current.cancel();
    }

    @Override
    public void close() {
        if (!result.isDone()) {
            cancel();
        }
        result.join();
    }
}
