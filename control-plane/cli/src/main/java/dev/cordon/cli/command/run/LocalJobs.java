package dev.cordon.cli.command.run;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.cli.parse.Arguments;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.cli.terminal.Running;
import dev.cordon.cli.terminal.StatsSampler;
import dev.cordon.cli.terminal.Stdio;
import dev.cordon.config.Config;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.json.DecisionJson;
import dev.cordon.plan.Planned;
import dev.cordon.policy.Decision;
import dev.cordon.policy.file.InvalidPolicy;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Jobs of this process. */
record LocalJobs(Arguments arguments, Stdio stdio) implements JobGateway {
    @Override
    public Running<Result> start(JobArguments given, OutputListener listener) throws UsageError {
        Job job = given.job();
        Cordon cordon = CordonOpening.recorded(arguments, stdio);
        try {
            if (given.errors().isEmpty()) {
                RunningJob running = cordon.start(job, listener);
                return new LocalJob(cordon, running, arguments.has(RunOptions.STATS) ? StatsSampler.of(running) : null);
            }
            Result invalid = invalid(cordon.plan(job), given.errors());
            cordon.close();
            return new Running.Ended(invalid);
        } catch (RuntimeException | Error e) {
            cordon.close();
            throw e;
        }
    }

    @Override
    public Planned plan(JobArguments given) throws UsageError {
        Job job = given.job();
        try (Cordon cordon = CordonOpening.recorded(arguments, stdio)) {
            Planned planned = cordon.plan(job);
            return given.errors().isEmpty() ? planned : new Planned.Refused(invalid(planned, given.errors()));
        }
    }

    /** What the command line could not make sense of, together with what Cordon found in the rest of the job. */
    private static Result invalid(Planned planned, List<FieldError> errors) {
        List<FieldError> all = new ArrayList<>(errors);
        JobId id = switch (planned) {
            case Planned.Ready ready -> ready.plan().id();
            case Planned.Refused refused -> {
                if (refused.result().outcome() instanceof Outcome.Invalid invalid) {
                    all.addAll(invalid.errors());
                }
                yield refused.result().id();
            }
        };
        Instant now = Instant.now();
        return Result.notStarted(id, new Outcome.Invalid(all), List.of(), now, now);
    }

    @Override
    public Explanation explain(JobArguments given) throws CommandFailure {
        Job job = given.job();
        Config config = CordonOpening.config(arguments);
        Optional<String> policy = arguments.value(PolicyCommands.POLICY);
        try (Cordon cordon = Cordon.open(policy.isPresent() ? config.withPolicy(Path.of(policy.get())) : config)) {
            if (!given.errors().isEmpty()) {
                throw EndMessages.failure(new Outcome.Invalid(given.errors()));
            }
            Decision decision = cordon.explain(job);
            return new Explanation(decision, DecisionJson.of(decision));
        } catch (InvalidJob e) {
            throw EndMessages.failure(new Outcome.Invalid(e.errors()));
        } catch (InvalidPolicy e) {
            throw new CommandFailure(CommandFailure.NOT_FOUND, e.errors());
        }
    }
}
