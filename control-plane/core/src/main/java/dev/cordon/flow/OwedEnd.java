package dev.cordon.flow;

import dev.cordon.quota.JobPermit;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * What is owed for an admitted job: at its end its place is given back, what it took is charged, and the end is recorded. Closing it
 * gives the place back where nothing started.
 */
public final class OwedEnd implements AutoCloseable {
    private final PolicyGate gate;
    private final JudgedJob job;
    private final JobPermit permit;
    private final JobRecorder.Page page;
    private boolean bound;

    OwedEnd(PolicyGate gate, JudgedJob job, JobPermit permit, JobRecorder.Page page) {
        this.gate = gate;
        this.job = job;
        this.permit = permit;
        this.page = page;
    }

    /** Where the job is recorded. */
    public JobRecorder.Page page() {
        return page;
    }

    /** Settles it at this end. The returned end is known when it is recorded. */
    public CompletableFuture<Result> until(CompletableFuture<Result> end) {
        return until(end, UnaryOperator.identity());
    }

    /**
     * Settles it at this end.
     *
     * @param charge what of its usage counts against the owner's budget
     * @return the end, known when it is recorded
     */
    public CompletableFuture<Result> until(CompletableFuture<Result> end, UnaryOperator<Usage> charge) {
        CompletableFuture<Result> left = end.whenComplete((result, lost) -> {
            if (lost == null) {
                gate.left(job.held(), permit, result, charge.apply(result.usage()));
            } else {
                permit.release(Usage.none());
            }
        });
        bound = true;
        return page.ended(left);
    }

    @Override
    public void close() {
        if (!bound) {
            permit.release(Usage.none());
        }
    }
}
