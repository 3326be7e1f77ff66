package dev.cordon.result;

import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What there is to know about a sandbox now.
 *
 * @param id                its id
 * @param state             whether it takes commands
 * @param end               why it ended; null while it has not
 * @param isolation         the level that was applied
 * @param owner             on whose behalf it is there
 * @param labels            the caller's own notes
 * @param limits            the limits of the sandbox, and the defaults of its commands
 * @param limitsNotEnforced limits that the kernel does not hold for the whole sandbox on this host
 * @param layersMissing     layers that the host could not apply and that are allowed to be absent
 * @param violations        refused system calls of the tripwire set, of all its commands
 * @param running           commands that have not ended
 * @param created           when it was opened
 * @param expires           when its time to live is over; null when it has none
 * @param idleTimeout       how long it may be idle; null when that does not end it
 */
public record SandboxInfo(
        JobId id,
        State state,
        @Nullable String end,
        Isolation isolation,
        String owner,
        Map<String, String> labels,
        Limits limits,
        List<Limit> limitsNotEnforced,
        List<String> layersMissing,
        List<Violation> violations,
        int running,
        Instant created,
        @Nullable Instant expires,
        @Nullable Duration idleTimeout) {

    /** Whether a sandbox takes commands. */
    public enum State {
        /** It does. */
        OPEN,
        /** Its processes stand still; commands wait. */
        PAUSED,
        /** Nothing of it is left, or will be in a moment. */
        ENDED
    }

    /** Copies the collections. */
    public SandboxInfo {
        labels = Map.copyOf(labels);
        limitsNotEnforced = List.copyOf(limitsNotEnforced);
        layersMissing = List.copyOf(layersMissing);
        violations = List.copyOf(violations);
    }
}
