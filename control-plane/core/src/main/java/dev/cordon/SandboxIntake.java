package dev.cordon;

import dev.cordon.admission.Answer;
import dev.cordon.admission.Permit;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Result;
import dev.cordon.api.Usage;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxException;
import dev.cordon.plan.Plan;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes sandboxes in: each has its place among its owner's jobs, and its memory, until nothing of it is left. */
final class SandboxIntake {
    /** Makes sandboxes. */
    @FunctionalInterface
    interface Source {
        OpenSandbox open(Plan plan) throws SandboxException;
    }

    private final Gate gate;
    private final Source source;

    SandboxIntake(Gate gate, Source source) {
        this.gate = gate;
        this.source = source;
    }

    /**
     * Opens one.
     *
     * @param page where it is recorded
     * @param hand makes of it what the caller gets; where that fails it is closed
     */
    Sandbox open(JobSpec spec, Plan plan, Ledger.Page page, Function<OpenSandbox, Sandbox> hand)
            throws SandboxException {
        OpenSandbox opened = switch (gate.enter(spec, plan)) {
            case Answer.Refused full -> throw new SandboxRefused(full.outcome());
            case Answer.Admitted admitted -> opened(plan, page, admitted.permit());
        };
        boolean handed = false;
        try {
            Sandbox sandbox = hand.apply(opened);
            handed = true;
            return sandbox;
        } finally {
            if (!handed) {
                opened.close();
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the ledger waits for it
    private OpenSandbox opened(Plan plan, Ledger.Page page, Permit permit) throws SandboxException {
        OpenSandbox opened = null;
        boolean stands = false;
        try {
            page.admit(plan);
            opened = source.open(plan);
            Instant created = Instant.now();
            CompletableFuture<Result> result = opened.end()
                    .thenApply(why -> SandboxEnding.of(plan, why, created, Instant.now()))
                    .whenComplete((ended, lost) -> permit.release(lost == null ? ended.usage() : Usage.none()));
            page.ended(result);
            stands = true;
            return opened;
        } catch (SandboxException | RuntimeException | Error e) {
            page.failed(e);
            throw e;
        } finally {
            if (!stands) {
                release(opened, permit);
            }
        }
    }

    private static void release(@Nullable OpenSandbox opened, Permit permit) {
        try {
            if (opened != null) {
                opened.close();
            }
        } finally {
            permit.release(Usage.none());
        }
    }
}
