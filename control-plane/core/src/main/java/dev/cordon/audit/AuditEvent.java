package dev.cordon.audit;

import dev.cordon.api.Isolation;
import dev.cordon.api.Result;
import dev.cordon.api.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that is recorded about a job. */
public sealed interface AuditEvent {
    /** The job. */
    Subject subject();

    /** The name in the log. */
    default String kind() {
        return switch (this) {
            case Decided ignored -> "decision";
            case Started ignored -> "start";
            case Violated ignored -> "violation";
            case Escalated ignored -> "escalation";
            case Ended ignored -> "end";
        };
    }

    /**
     * The job was judged.
     *
     * @param answer    {@code allowed} or the label of the outcome that refused it
     * @param isolation the level that was decided on; null when it was refused
     * @param rule      the rule of the policy that decided; empty for none
     * @param risk      the score
     * @param reasons   why
     */
    record Decided(
            Subject subject, String answer, @Nullable Isolation isolation, String rule, int risk, List<String> reasons)
            implements AuditEvent {
        /** Copies the reasons. */
        public Decided {
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * The job is about to be started.
     *
     * @param isolation at this level
     * @param profile   behind this filter of system calls
     */
    record Started(Subject subject, Isolation isolation, String profile) implements AuditEvent {}

    /**
     * The job tried a system call of the tripwire set.
     *
     * @param violation the call, the process, how often
     */
    record Violated(Subject subject, Violation violation) implements AuditEvent {}

    /**
     * The job was stopped and is run again behind a stronger boundary.
     *
     * @param from   the first attempt's level
     * @param to     the second's
     * @param reason what the first attempt did
     */
    record Escalated(Subject subject, Isolation from, Isolation to, String reason) implements AuditEvent {}

    /**
     * The job is over.
     *
     * @param result     its end; also of a job that was never started
     * @param withOutput whether what it wrote is recorded
     */
    record Ended(Subject subject, Result result, boolean withOutput) implements AuditEvent {}
}
