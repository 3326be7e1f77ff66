package dev.cordon.admission;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether an owner may have one more job now. */
public sealed interface Answer {
    /**
     * He may.
     *
     * @param permit given back when the job is over
     */
    record Admitted(Permit permit) implements Answer {}

    /**
     * He may not.
     *
     * @param reason     the quota and what is in use
     * @param retryAfter when it may be otherwise; null when waiting does not help
     */
    record Refused(String reason, @Nullable Duration retryAfter) implements Answer {}
}
