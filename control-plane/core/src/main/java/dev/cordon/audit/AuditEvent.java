package dev.cordon.audit;

import dev.cordon.job.Isolation;
import dev.cordon.result.Result;
import dev.cordon.result.Violation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Something that is recorded: about a job, about those who run the service, or about the log itself. */
public sealed interface AuditEvent {
    /** The name in the log. */
    default String kind() {
        return switch (this) {
            case Decided ignored -> "decision";
            case Started ignored -> "start";
            case Violated ignored -> "violation";
            case Escalated ignored -> "escalation";
            case Ended _, Lost _ -> "end";
            case Administered ignored -> "admin";
            case Retired ignored -> "retention";
            case Signed ignored -> "checkpoint";
        };
    }

    /** Something about a job, or a sandbox. */
    sealed interface OfJob extends AuditEvent {
        /** The job. */
        RecordSubject subject();
    }

    /** What an interface of Cordon knows and its engine does not. */
    sealed interface FromOutside extends AuditEvent {}

    /**
     * The job was judged. The one record that has the caller's labels.
     *
     * @param answer    {@code allowed} or the label of the outcome that refused it
     * @param isolation the level that was decided on; null when it was refused
     * @param rule      the rule of the policy that decided; empty for none
     * @param risk      the score
     * @param reasons   why
     */
    record Decided(
            RecordSubject subject,
            String answer,
            @Nullable Isolation isolation,
            String rule,
            int risk,
            List<String> reasons)
            implements OfJob {
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
    record Started(RecordSubject subject, Isolation isolation, String profile) implements OfJob {}

    /**
     * The job tried a system call of the tripwire set.
     *
     * @param violation the call, the process, how often
     */
    record Violated(RecordSubject subject, Violation violation) implements OfJob {}

    /**
     * The job was stopped and is run again behind a stronger boundary.
     *
     * @param from   the first attempt's level
     * @param to     the second's
     * @param reason what the first attempt did
     */
    record Escalated(RecordSubject subject, Isolation from, Isolation to, String reason) implements OfJob {}

    /**
     * The job is over.
     *
     * @param result     its end; also of a job that was never started
     * @param withOutput whether what it wrote is recorded
     */
    record Ended(RecordSubject subject, Result result, boolean withOutput) implements OfJob {}

    /**
     * The job is over, and nobody saw its end: its process died before it.
     *
     * @param detail what is known
     */
    record Lost(RecordSubject subject, String detail) implements OfJob, FromOutside {}

    /**
     * Somebody who may do so acted on the service or on what is another's. Recorded before it is done.
     *
     * @param caller  who: a token's id or a local user
     * @param act     what, such as {@code DELETE /v1/jobs/{id}}
     * @param object  the id of what it was done to; empty where there is only one
     * @param owner   whose that is; empty for nobody's
     * @param request the id of the request; empty for none
     * @param details what else matters, never a secret
     */
    record Administered(
            String caller, String act, String object, String owner, String request, Map<String, String> details)
            implements FromOutside {
        /** Copies the details, keeping their order. */
        public Administered {
            details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        }
    }

    /**
     * The oldest files of the log are about to be removed because it has reached {@code audit.keep}. The first record of a file.
     *
     * @param files      how many
     * @param bytes      their size
     * @param first      the first record that is removed
     * @param last       the last one
     * @param hash       its SHA-256, which the first record that stays has for the one before it
     * @param filesInAll how many were removed up to now, these among them
     * @param keep       what the log may hold, in bytes
     */
    record Retired(long files, long bytes, long first, long last, String hash, long filesInAll, long keep)
            implements AuditEvent {}

    /**
     * A key vouches for every record before this one.
     *
     * @param key       its id
     * @param signature over the number and the SHA-256 of the record before, in Base64
     */
    record Signed(String key, String signature) implements AuditEvent {}
}
