package dev.cordon.quota;

import dev.cordon.result.Outcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether an owner may have one more job now. */
public sealed interface QuotaAnswer {
    /**
     * He may.
     *
     * @param permit given back when the job is over
     */
    record Admitted(JobPermit permit) implements QuotaAnswer {}

    /**
     * He may not.
     *
     * @param reason     the quota and what is in use
     * @param retryAfter when it may be otherwise; null when waiting does not help
     */
    record Refused(String reason, @Nullable Duration retryAfter) implements QuotaAnswer {
        /** The end of one who did not wait to the end. */
        static final Refused GIVEN_UP = new Refused("cancelled while it waited for its owner's other jobs", null);

        /** What becomes of the job. */
        public Outcome outcome() {
            return equals(GIVEN_UP) ? new Outcome.Cancelled() : new Outcome.Denied(List.of(reason), retryAfter);
        }
    }
}
