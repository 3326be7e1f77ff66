package dev.cordon;

import dev.cordon.admission.Permit;
import dev.cordon.api.Result;
import dev.cordon.api.Usage;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * What is owed for an admitted job: at its end its place is given back, what it took is charged, and the end is recorded. Closing the
 * obligation gives the place back where nothing started.
 */
final class Obligation implements AutoCloseable {
    private final Gate gate;
    private final JudgedJob job;
    private final Permit permit;
    private final Ledger.Page page;
    private boolean bound;

    Obligation(Gate gate, JudgedJob job, Permit permit, Ledger.Page page) {
        this.gate = gate;
        this.job = job;
        this.permit = permit;
        this.page = page;
    }

    /** Where the job is recorded. */
    Ledger.Page page() {
        return page;
    }

    /** Settles it at this end. The returned end is known when it is recorded. */
    CompletableFuture<Result> until(CompletableFuture<Result> end) {
        return until(end, UnaryOperator.identity());
    }

    /**
     * Settles it at this end.
     *
     * @param charge what of its usage counts against the owner's budget
     * @return the end, known when it is recorded
     */
    CompletableFuture<Result> until(CompletableFuture<Result> end, UnaryOperator<Usage> charge) {
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
