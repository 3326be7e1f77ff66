package dev.cordon.flow;

import dev.cordon.result.Escalation;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.result.Violation;
import java.util.Optional;

/**
 * Why a job's end is suspicious.
 *
 * @param cause  what it did
 * @param reason the same in words; the process's name in it is hostile text
 */
record Suspicion(Escalation.Cause cause, String reason) {
    private static final int SIGSYS = 31;
    /** What a shell answers for a child that died of it. */
    private static final int SHELL_SIGSYS = 128 + SIGSYS;

    static Optional<Suspicion> of(Result result) {
        return switch (result.outcome()) {
            case Outcome.Violated violated -> Optional.of(breach(result, violated));
            case Outcome.Signaled signaled when signaled.signal() == SIGSYS -> Optional.of(sigsys("ended by SIGSYS"));
            case Outcome.Exited exited
            when exited.code() == SHELL_SIGSYS -> Optional.of(sigsys("ended with 159, as shells tell of SIGSYS"));
            default -> Optional.empty();
        };
    }

    private static Suspicion breach(Result result, Outcome.Violated violated) {
        String call = violated.syscall() + by(result, violated.syscall());
        return switch (violated.breach()) {
            case TRIPWIRE -> new Suspicion(Escalation.Cause.TRIPWIRE, "system call " + call);
            case BURST ->
                new Suspicion(Escalation.Cause.BURST, "burst of refused system calls, the last of them " + call);
            case NETWORK -> new Suspicion(Escalation.Cause.NETWORK, "attempt to reach the network");
        };
    }

    private static String by(Result result, String syscall) {
        return result.violations().stream()
                .filter(violation -> violation.syscall().equals(syscall))
                .findFirst()
                .map(Violation::process)
                .map(process -> " by " + process)
                .orElse("");
    }

    private static Suspicion sigsys(String how) {
        return new Suspicion(Escalation.Cause.SIGSYS, how);
    }
}
