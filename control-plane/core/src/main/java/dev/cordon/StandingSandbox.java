package dev.cordon;

import dev.cordon.engine.OpenSandbox;
import dev.cordon.flow.SandboxClock;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.quota.QuotaAnswer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A sandbox that stands, for what runs in it.
 *
 * @param spec   what it was opened with
 * @param cordon whose it is
 * @param open   the sandbox
 * @param clock  ends it when its time is over
 * @param active how many commands have a place in it
 */
record StandingSandbox(JobSpec spec, Cordon cordon, OpenSandbox open, SandboxClock clock, AtomicInteger active) {
    /** Asks for a place. */
    @FunctionalInterface
    interface Request {
        /**
         * Asks.
         *
         * @param first whether nothing else runs in the sandbox: the sandbox's own place is this command's
         */
        QuotaAnswer ask(boolean first);
    }

    StandingSandbox(JobSpec spec, Cordon cordon, OpenSandbox open, SandboxClock clock) {
        this(spec, cordon, open, clock, new AtomicInteger());
    }

    /** What it was made by. */
    SandboxPlan plan() {
        return open.plan();
    }

    /** Counts a command as long as it has its place. */
    QuotaAnswer admit(Request request) {
        boolean admitted = false;
        boolean first = active.getAndIncrement() == 0;
        try {
            QuotaAnswer answer = request.ask(first);
            admitted = answer instanceof QuotaAnswer.Admitted;
            return answer instanceof QuotaAnswer.Admitted place
                    ? new QuotaAnswer.Admitted(place.permit().then(active::decrementAndGet))
                    : answer;
        } finally {
            if (!admitted) {
                active.decrementAndGet();
            }
        }
    }
}
