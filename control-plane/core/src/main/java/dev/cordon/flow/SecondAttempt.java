package dev.cordon.flow;

import dev.cordon.engine.Execution;
import dev.cordon.engine.SandboxException;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Stdin;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.Plan;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;

/**
 * A job's original inputs, ready to be run again in a virtual machine.
 *
 * @param job      the job as it was allowed in the jail
 * @param page     where it is recorded
 * @param planning plans it for the machine
 * @param start    starts the plan
 */
public record SecondAttempt(JudgedJob job, JobRecorder.Page page, Planning planning, Start start) {
    /** How a job becomes a plan. */
    @FunctionalInterface
    public interface Planning {
        Plan plan(JudgedJob job) throws HostUnsupportedException;
    }

    /** How a plan becomes an execution. */
    @FunctionalInterface
    public interface Start {
        Execution of(Plan plan) throws SandboxException;
    }

    /** There can be no second attempt; the message says why. */
    static final class Impossible extends Exception {
        private static final long serialVersionUID = 1L;

        Impossible(String why) {
            super(why);
        }
    }

    /**
     * Plans, records and starts the second attempt, in the time that the first one left.
     *
     * @throws Impossible when it cannot be started
     */
    Execution begin(Result first, Suspicion suspicion, OutputListener listener) throws Impossible {
        requireRepeatable();
        try {
            Plan plan = planning.plan(new JudgedJob(rest(first), job.allowed().escalated(suspicion.reason())));
            page.escalate(first, plan, suspicion.reason());
            listener.escalated(suspicion.reason());
            return start.of(plan);
        } catch (InvalidJob e) {
            throw new Impossible(
                    e.errors().stream().map(FieldError::message).findFirst().orElse("it is not a job for a machine"));
        } catch (HostUnsupportedException e) {
            throw new Impossible(words(e.outcome()));
        } catch (SandboxException e) {
            throw new Impossible(words(e.outcome()));
        }
    }

    private static String words(Outcome outcome) {
        return switch (outcome) {
            case Outcome.HostUnsupported host -> host.check() + "; " + host.remedy();
            case Outcome.SetupFailed failed -> failed.stage() + ": " + failed.detail() + "; " + failed.remedy();
            default -> outcome.label();
        };
    }

    /** Throws where the job cannot run twice: its caller forbids it, or its streams were read once and cannot be given again. */
    private void requireRepeatable() throws Impossible {
        JobSpec spec = job.spec();
        if (!spec.reactions().escalate()) {
            throw new Impossible("the job forbids a second attempt");
        }
        Isolation most = spec.containment().atMost();
        if (most != null && most != Isolation.VM) {
            throw new Impossible("the highest level that the job allows is " + most.label());
        }
        if (spec.io().terminal() != null) {
            throw new Impossible("it has a terminal, and what was typed cannot be typed again");
        }
        if (spec.io().streaming()) {
            throw new Impossible("its output is read as a stream, and what was read cannot be taken back");
        }
        switch (spec.io().stdin()) {
            case Stdin.Fed ignored ->
                throw new Impossible("its standard input was fed by the caller, and cannot be fed again");
            case Stdin.Stream ignored ->
                throw new Impossible("its standard input is a stream, which can be read only once");
            case Stdin.Empty _, Stdin.Bytes _, Stdin.FromFile _ -> {}
        }
    }

    private JobSpec rest(Result first) throws Impossible {
        Map<Limit, Long> amounts = new EnumMap<>(job.held().limits().amounts());
        leave(amounts, Limit.TIMEOUT, first.usage().wall());
        leave(amounts, Limit.CPU_TIME, first.usage().cpu());
        return job.spec().under(Limits.of(amounts));
    }

    private static void leave(Map<Limit, Long> amounts, Limit limit, Duration used) throws Impossible {
        long all = amounts.getOrDefault(limit, limit.least());
        long left = all - used.toNanos();
        if (left < limit.least()) {
            throw new Impossible("of its " + limit.key() + " of " + limit.show(all) + " the first attempt used "
                    + DurationFormat.format(used.truncatedTo(ChronoUnit.MILLIS)));
        }
        amounts.put(limit, left);
    }
}
