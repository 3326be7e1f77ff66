package dev.cordon;

import dev.cordon.admission.Answer;
import dev.cordon.admission.Permit;
import dev.cordon.api.ByteSize;
import dev.cordon.api.Command;
import dev.cordon.api.Job;
import dev.cordon.api.JobId;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Language;
import dev.cordon.api.Limit;
import dev.cordon.api.Limits;
import dev.cordon.api.Outcome;
import dev.cordon.api.OutputListener;
import dev.cordon.api.Result;
import dev.cordon.api.Usage;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxException;
import dev.cordon.interpreter.RunLimits;
import dev.cordon.interpreter.Seat;
import dev.cordon.policy.Decision;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs an interpreter as a command of a sandbox. The command waits for code and lives as long as any may; each run is judged, admitted and
 * recorded by itself, with its own time limit.
 */
final class InterpreterSeat implements Seat {
    private final Sandbox sandbox;
    private final JobSpec spec;
    private final Cordon cordon;
    private final OpenSandbox open;
    private final SandboxClock clock;
    private final AwakeTime awake;
    private final AtomicLong charged = new AtomicLong();

    InterpreterSeat(
            Sandbox sandbox, JobSpec spec, Cordon cordon, OpenSandbox open, SandboxClock clock, AwakeTime awake) {
        this.sandbox = sandbox;
        this.spec = spec;
        this.cordon = cordon;
        this.open = open;
        this.clock = clock;
        this.awake = awake;
    }

    /** The same command without an end of its own: its runs have theirs. */
    static JobSpec patient(JobSpec driver) {
        Map<Limit, Long> amounts = driver.limits().amounts();
        amounts.put(Limit.TIMEOUT, Limit.TIMEOUT.most());
        amounts.put(Limit.CPU_TIME, Limit.CPU_TIME.most());
        return driver.under(Limits.of(amounts), driver.profile(), driver.onViolation());
    }

    /** What an interpreter took beside its runs, which were charged already. */
    static Usage rest(Usage all, long chargedNanos) {
        Duration left = all.cpu().minusNanos(chargedNanos);
        return new Usage(
                all.wall(),
                left.isNegative() ? Duration.ZERO : left,
                Duration.ZERO,
                all.peakMemory(),
                null,
                null,
                null);
    }

    @Override
    public Program start(Job job) {
        charged.set(0);
        return new Waiting(sandbox.startWaiting(job, charged::get));
    }

    @Override
    public long awakeNanos() {
        return awake.nanos();
    }

    @Override
    public Turn judge(Language language, String code, RunLimits limits) {
        JobId id = Cordon.newId();
        Instant created = Instant.now();
        JobSpec asked = spec.running(new Command.Code(language, code, language.fileName()), within(limits));
        Decision decision = SandboxFit.of(cordon.gate().decide(asked), open.plan());
        Ledger.Page page = cordon.page(id, asked, decision);
        return switch (decision) {
            case Decision.Denied denied -> refused(page, id, denied.outcome(), created);
            case Decision.Allowed allowed -> {
                JobSpec held = allowed.applied(asked);
                // The interpreter's own place is the run's.
                yield switch (cordon.gate().enterSandbox(held, true, OutputListener.none())) {
                    case Answer.Refused full ->
                        refused(page, id, new Outcome.Denied(List.of(full.reason()), full.retryAfter()), created);
                    case Answer.Admitted admitted ->
                        admitted(new InterpreterRun(id, held, page, created), admitted.permit(), limits);
                };
            }
        };
    }

    private Turn admitted(InterpreterRun run, Permit permit, RunLimits limits) {
        boolean begun = false;
        try {
            run.page().admit(open.plan());
            clock.rests(-1);
            begun = true;
        } catch (SandboxException e) {
            return refused(
                    run.page(), run.id(), new Outcome.Denied(List.of(String.valueOf(e.getMessage()))), run.created());
        } finally {
            if (!begun) {
                permit.release(Usage.none());
            }
        }
        Limits held = run.held().limits();
        Duration cpu = cpu();
        return new Turn.Granted(
                new RunLimits(
                        shorter(limits.timeout(), held.timeout()),
                        ByteSize.bytes(
                                Math.min(limits.output().bytes(), held.output().bytes())),
                        limits.displays()),
                evaluation -> ended(run, permit, run.result(evaluation, took(cpu, evaluation.wall()), open.plan())),
                why -> ended(run, permit, run.failed(why)));
    }

    private void ended(InterpreterRun run, Permit permit, Result result) {
        clock.rests(1);
        charged.addAndGet(result.usage().cpu().toNanos());
        cordon.gate().left(run.held(), permit, result);
        Result _ = run.page().ended(CompletableFuture.completedFuture(result)).join();
    }

    private static Turn refused(Ledger.Page page, JobId id, Outcome.Denied denied, Instant created) {
        Result result = Result.notStarted(id, denied, denied.reasons(), created, Instant.now());
        Result _ = page.ended(CompletableFuture.completedFuture(result)).join();
        return new Turn.Refused(denied.reasons(), denied.retryAfter());
    }

    /** What a run may take: its own limits below those of the sandbox and the operator's ceilings. */
    private Limits within(RunLimits limits) {
        Map<Limit, Long> amounts = spec.limits().amounts();
        long time = Math.min(limits.timeout().toNanos(), cordon.gate().ceiling(Limit.TIMEOUT));
        if (spec.asked().contains(Limit.TIMEOUT)) {
            time = Math.min(time, spec.limits().timeout().toNanos());
        }
        time = Math.max(time, Limit.TIMEOUT.least());
        double cpu = time * Math.max(1, spec.limits().cpus());
        amounts.put(Limit.TIMEOUT, time);
        amounts.put(Limit.CPU_TIME, (long) Math.min(cpu, amounts.getOrDefault(Limit.CPU_TIME, Limit.CPU_TIME.most())));
        long output = Math.min(limits.output().bytes(), cordon.gate().ceiling(Limit.OUTPUT));
        amounts.put(Limit.OUTPUT, Math.max(output, Limit.OUTPUT.least()));
        return Limits.of(amounts);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private @Nullable Duration cpu() {
        return open.sample().cpu();
    }

    /** The sandbox's CPU time meanwhile; where nobody counts it, the time that passed. */
    private Duration took(@Nullable Duration before, Duration wall) {
        Duration now = before == null ? null : cpu();
        return before == null || now == null || now.compareTo(before) < 0 ? wall : now.minus(before);
    }

    private record Waiting(RunningJob job) implements Program {
        @Override
        public OutputStream stdin() {
            return job.stdin();
        }

        @Override
        public InputStream stdout() {
            return job.stdout();
        }

        @Override
        public CompletableFuture<Result> result() {
            return job.result();
        }

        @Override
        public void close() {
            job.close();
        }
    }
}
