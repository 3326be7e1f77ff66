package dev.cordon.cli.command.run;

import dev.cordon.Cordon;
import dev.cordon.DryRun;
import dev.cordon.RunningJob;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.StatsSampler;
import dev.cordon.config.Config;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.json.DecisionJson;
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
record LocalJobs(ParsedArguments arguments, StandardStreams stdio) implements JobGateway {
    @Override
    public AwaitedJob<Result> start(JobArguments given, OutputListener listener) throws UsageError {
        Job job = given.job();
        Cordon cordon = CordonOpening.recorded(arguments, stdio);
        try {
            if (given.errors().isEmpty()) {
                RunningJob running = cordon.start(job, listener);
                return new LocalJob(cordon, running, arguments.has(RunOptions.STATS) ? StatsSampler.of(running) : null);
            }
            Result invalid = invalid(cordon.dryRun(job), given.errors());
            cordon.close();
            return new AwaitedJob.Ended(invalid);
        } catch (RuntimeException | Error e) {
            cordon.close();
            throw e;
        }
    }

    @Override
    public DryRun dryRun(JobArguments given) throws UsageError {
        Job job = given.job();
        try (Cordon cordon = CordonOpening.recorded(arguments, stdio)) {
            DryRun dryRun = cordon.dryRun(job);
            return given.errors().isEmpty() ? dryRun : new DryRun.Refused(invalid(dryRun, given.errors()));
        }
    }

    /** What the command line could not make sense of, together with what Cordon found in the rest of the job. */
    private static Result invalid(DryRun dryRun, List<FieldError> errors) {
        List<FieldError> all = new ArrayList<>(errors);
        if (dryRun instanceof DryRun.Refused refused && refused.result().outcome() instanceof Outcome.Invalid invalid) {
            all.addAll(invalid.errors());
        }
        Instant now = Instant.now();
        return Result.notStarted(dryRun.id(), new Outcome.Invalid(all), List.of(), now, now);
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
