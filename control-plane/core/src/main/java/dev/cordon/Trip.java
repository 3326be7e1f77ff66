package dev.cordon;

import dev.cordon.api.Escalation;
import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import dev.cordon.api.Violation;
import java.util.Optional;

/**
 * Why a job's end is suspicious.
 *
 * @param cause  what it did
 * @param reason the same in words; the process's name in it is hostile text
 */
record Trip(Escalation.Cause cause, String reason) {
    private static final int SIGSYS = 31;
    /** What a shell answers for a child that died of it. */
    private static final int SHELL_SIGSYS = 128 + SIGSYS;

    static Optional<Trip> of(Result result) {
        return switch (result.outcome()) {
            case Outcome.Violated violated -> Optional.of(tripwire(result, violated.syscall()));
            case Outcome.Signaled signaled when signaled.signal() == SIGSYS -> Optional.of(sigsys("ended by SIGSYS"));
            case Outcome.Exited exited
            when exited.code() == SHELL_SIGSYS -> Optional.of(sigsys("ended with 159, as shells tell of SIGSYS"));
            default -> Optional.empty();
        };
    }

    private static Trip tripwire(Result result, String syscall) {
        String who = result.violations().stream()
                .filter(violation -> violation.syscall().equals(syscall))
                .findFirst()
                .map(Violation::process)
                .map(process -> " by " + process)
                .orElse("");
        return new Trip(Escalation.Cause.TRIPWIRE, "system call " + syscall + who);
    }

    private static Trip sigsys(String how) {
        return new Trip(Escalation.Cause.SIGSYS, how);
    }
}
