package dev.cordon.flow;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.AuditUnavailable;
import dev.cordon.audit.RecordSubject;
import dev.cordon.audit.write.AuditLog;
import dev.cordon.audit.write.JobFingerprint;
import dev.cordon.config.AuditSettings;
import dev.cordon.engine.SandboxException;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.policy.Decision;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.result.Violation;
import dev.cordon.tool.ToolCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Writes the records of jobs, one {@link Page} for each job. Without an audit log it writes nothing, and its pages cost nothing. */
public final class JobRecorder implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 10;

    private final @Nullable AuditLog log;
    private final Map<Long, CompletableFuture<Result>> owed = new ConcurrentHashMap<>();
    private final AtomicLong pages = new AtomicLong();

    public JobRecorder(AuditSettings settings) {
        this.log = settings.enabled() ? new AuditLog(settings) : null;
    }

    /** A recorder that writes nothing. */
    static JobRecorder none() {
        return new JobRecorder();
    }

    private JobRecorder() {
        this.log = null;
    }

    /**
     * The page of one job.
     *
     * @param call the call of a tool that it comes from; null for none
     */
    Page page(JobId id, @Nullable ToolCall call) {
        return new Page(id, call);
    }

    /** Records what the engine does not know; without a log nothing. Returns when it is on the disk. */
    public void attest(List<? extends AuditEvent.FromOutside> events) throws AuditUnavailable {
        if (log != null) {
            log.attest(events);
        }
    }

    /** Records what may not wait for the disk. */
    public CompletableFuture<Boolean> note(AuditEvent.FromOutside event) {
        return log == null ? CompletableFuture.completedFuture(true) : log.record(List.of(event));
    }

    /** Whether jobs can be recorded, as far as the last attempt tells. */
    public boolean works() {
        return log == null || log.works();
    }

    /** Writes the ends of everything first; the engine is closed by now, so all of them are known or about to be. */
    @Override
    public void close() {
        if (log != null) {
            CompletableFuture<?> all = CompletableFuture.allOf(owed.values().toArray(CompletableFuture[]::new));
            all.completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .exceptionally(e -> null)
                    .join();
            log.close();
        }
    }

    /**
     * All records of one job. The decision and the start are written before the job runs, its violations and its end are on the disk before
     * its result is reported.
     */
    final class Page {
        private final JobId id;
        private final @Nullable ToolCall call;
        private final Instant created = Instant.now();
        private @Nullable JobSpec spec;
        private @Nullable Decision decision;
        private @Nullable SandboxPlan plan;
        private @Nullable RecordSubject subject;
        private boolean decided;
        private boolean over;
        private int violationsTold;

        private Page(JobId id, @Nullable ToolCall call) {
            this.id = id;
            this.call = call;
        }

        /** Remembers what the job is. */
        JobSpec checked(JobSpec checked) {
            spec = checked;
            return checked;
        }

        /** Remembers the policy's answer. */
        Decision judged(Decision answer) {
            decision = answer;
            return answer;
        }

        /**
         * Records the decision before anything else is done for the job.
         *
         * @throws SandboxException when it cannot be recorded: nothing may be done for it
         */
        void decided() throws SandboxException {
            write(List.of(decision(subject(), "allowed")));
            decided = true;
        }

        /**
         * Records that the job is about to run.
         *
         * @throws SandboxException when it cannot be recorded: it must not run
         */
        <P> void starting(FlowEntry<P, ?> entry, P planned) throws SandboxException {
            SandboxPlan sandbox = entry.sandbox(planned);
            plan = sandbox;
            if (log == null) {
                return;
            }
            RecordSubject about = subject().planned(entry.fingerprint(planned));
            String filter = entry.filter();
            AuditEvent started = new AuditEvent.Started(
                    about,
                    sandbox.tier().isolation(),
                    filter.isEmpty() ? sandbox.profile().shown() : filter);
            write(decided ? List.of(started) : List.of(decision(about, "allowed"), started));
            subject = about;
            decided = true;
        }

        private void write(List<AuditEvent> events) throws SandboxException {
            if (log != null) {
                try {
                    log.admit(events);
                } catch (AuditUnavailable e) {
                    throw new SandboxException(e.outcome());
                }
            }
        }

        /**
         * Records that the job was stopped and is about to be run again.
         *
         * @param first  how its first attempt ended
         * @param plan   what the second is run by
         * @param reason what the first attempt did
         * @throws SandboxException when it cannot be recorded: it must not run again
         */
        void escalate(Result first, Plan plan, String reason) throws SandboxException {
            if (log == null) {
                return;
            }
            List<AuditEvent> events = new ArrayList<>();
            first.violations().forEach(violation -> events.add(new AuditEvent.Violated(subject(), violation)));
            RecordSubject planned = subject().planned(JobFingerprint.of(plan));
            Isolation from = first.applied().isolation() == null
                    ? Isolation.JAIL
                    : first.applied().isolation();
            events.add(new AuditEvent.Escalated(subject(), from, plan.isolation(), reason));
            events.add(new AuditEvent.Started(
                    planned, plan.isolation(), plan.sandbox().profile().shown()));
            write(events);
            subject = planned;
            violationsTold = first.violations().size();
        }

        /** The result once it is recorded. One that the log could not take in time says so among its missing layers. */
        CompletableFuture<Result> ended(CompletableFuture<Result> result) {
            over = true;
            AuditLog opened = log;
            if (opened == null) {
                return result;
            }
            // Not on the engine's own thread, which completes the result.
            CompletableFuture<Result> told = result.thenComposeAsync(
                            ended -> opened.record(
                                            events(ended, opened.settings().output()))
                                    .thenApply(recorded -> recorded ? ended : ended.missing("audit")),
                            Thread::startVirtualThread)
                    .exceptionallyCompose(lost -> opened.record(events(failed(String.valueOf(lost)), false))
                            .thenCompose(_ -> CompletableFuture.failedFuture(lost)));
            long number = pages.incrementAndGet();
            owed.put(number, told);
            return told.whenComplete((ended, failure) -> owed.remove(number));
        }

        /** Records that the job does not start. The result is known when it is recorded. */
        CompletableFuture<Result> refused(Outcome outcome) {
            return ended(CompletableFuture.completedFuture(notStarted(outcome)));
        }

        /** Records that the job does not start, for these reasons. The result is known when it is recorded. */
        CompletableFuture<Result> refused(Outcome outcome, List<String> reasons) {
            return ended(CompletableFuture.completedFuture(notStarted(outcome, reasons)));
        }

        /** The result of a job that does not start, with what was known of it. */
        Result notStarted(Outcome outcome) {
            return notStarted(
                    outcome,
                    plan != null ? plan.remarks().reasons() : decision != null ? decision.reasons() : List.of());
        }

        /** The result of a job that does not start, for these reasons. */
        Result notStarted(Outcome outcome, List<String> reasons) {
            return Result.notStarted(id, outcome, reasons, created, Instant.now());
        }

        /** Records the end of a job that was decided on and whose start broke. */
        void failed(Throwable cause) {
            if (log != null && decided && !over) {
                boolean _ = log.record(events(failed(cause.toString()), false)).join();
            }
        }

        private Result failed(String cause) {
            return notStarted(
                    new Outcome.SetupFailed("engine", "", cause, "the log of the process tells more"), List.of());
        }

        private List<AuditEvent> events(Result result, boolean withOutput) {
            List<AuditEvent> events = new ArrayList<>();
            if (!decided) {
                events.add(decision(subject(), result.outcome().label()));
            }
            for (Violation violation : result.violations()
                    .subList(violationsTold, result.violations().size())) {
                events.add(new AuditEvent.Violated(subject(), violation));
            }
            events.add(new AuditEvent.Ended(subject(), result, withOutput));
            return events;
        }

        private RecordSubject subject() {
            RecordSubject known = subject;
            if (known == null) {
                String tool = call == null ? null : call.tool();
                known = spec == null
                        ? RecordSubject.unknown(id, call == null ? "" : call.owner(), tool)
                        : JobFingerprint.of(id, spec, tool);
                subject = known;
            }
            return known;
        }

        private AuditEvent decision(RecordSubject about, String answer) {
            return new AuditEvent.Decided(
                    about,
                    answer,
                    decision instanceof Decision.Allowed allowed ? allowed.isolation() : null,
                    decision == null ? "" : decision.rule(),
                    decision == null ? 0 : decision.risk().score(),
                    decision == null ? List.of() : decision.reasons());
        }
    }
}
