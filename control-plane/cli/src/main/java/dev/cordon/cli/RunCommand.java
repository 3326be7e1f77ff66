package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.Planned;
import dev.cordon.RunningJob;
import dev.cordon.api.FieldError;
import dev.cordon.api.Job;
import dev.cordon.api.JobId;
import dev.cordon.api.Limit;
import dev.cordon.api.Outcome;
import dev.cordon.api.OutputListener;
import dev.cordon.api.Result;
import dev.cordon.api.Sample;
import dev.cordon.json.PlanJson;
import dev.cordon.json.ResultJson;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** {@code cordon run}: one job in a sandbox of its own, its output as it comes, its end as the exit code. */
final class RunCommand implements Command {
    private static final int STATS_COLUMNS = 60;

    @Override
    public String name() {
        return "run";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Run a command or a piece of code in a sandbox of its own.",
                "",
                "The job sees the host's programs read-only, an empty /workspace and /tmp, no network and none of the",
                "host's files but those that --ro and --rw name. Nothing of it is left afterwards.");
    }

    @Override
    public List<Option> options() {
        return RunOptions.ALL;
    }

    @Override
    public String operands() {
        return "COMMAND [ARGUMENT...]";
    }

    @Override
    public List<String> footer() {
        return RunOptions.FOOTER;
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteRun());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        Colour.of(arguments, stdio.errIsTerminal(), stdio);
        JobArguments given = new JobArguments(arguments, stdio);
        Job job = given.job();
        try (Cordon cordon = Opening.recorded(arguments, stdio)) {
            if (!given.errors().isEmpty()) {
                return report(invalid(cordon.plan(job), given.errors()), arguments, stdio);
            }
            return arguments.has(RunOptions.DRY_RUN)
                    ? dryRun(cordon.plan(job), arguments, stdio)
                    : execute(listener -> cordon.start(job, listener), arguments, stdio);
        }
    }

    /** Runs what is started to its end, and reports it. */
    static int execute(Function<OutputListener, RunningJob> start, Arguments arguments, Stdio stdio)
            throws IOException {
        Relay relay = new Relay(stdio, arguments.has(RunOptions.RAW));
        ArtifactFolder artifacts = new ArtifactFolder(arguments, stdio);
        OutputListener listener = arguments.has(Option.JSON) ? OutputListener.none() : relay;
        if (arguments.has(RunOptions.ARTIFACT)) {
            listener = artifacts.beside(listener);
        }
        try (Interruption interruption = new Interruption();
                RunningJob running = start.apply(listener)) {
            interruption.cancels(running);
            relay.whenGone(running::cancel);
            Result result = arguments.has(RunOptions.STATS) ? awaitAndDraw(running, stdio) : await(running);
            relay.finish();
            return artifacts.code(report(result, arguments, stdio));
        }
    }

    private static Result awaitAndDraw(RunningJob running, Stdio stdio) {
        StatsSampler stats = new StatsSampler(running);
        stats.start();
        Result result = await(running);
        draw(stats.samples(), stdio);
        return result;
    }

    static void draw(List<Sample> samples, Stdio stdio) {
        new StatsChart(samples, STATS_COLUMNS).lines().forEach(stdio::message);
    }

    private static Result await(RunningJob running) {
        while (true) {
            try {
                return running.await();
            } catch (InterruptedException interrupted) {
                running.cancel();
            }
        }
    }

    private static int dryRun(Planned planned, Arguments arguments, Stdio stdio) throws IOException {
        return switch (planned) {
            case Planned.Refused refused -> report(refused.result(), arguments, stdio);
            case Planned.Ready ready -> {
                stdio.print(
                        stdio.outIsTerminal()
                                ? TerminalText.json(PlanJson.text(ready.plan()))
                                : PlanJson.text(ready.plan()));
                stdio.print("\n");
                yield 0;
            }
        };
    }

    static int report(Result result, Arguments arguments, Stdio stdio) throws IOException {
        boolean json = arguments.has(Option.JSON);
        if (json) {
            printJson(result, stdio);
        }
        if (!json || !(result.outcome() instanceof Outcome.Ended)) {
            Epilogue.of(result).forEach(stdio::message);
        }
        if (!json) {
            Epilogue.weaknesses(result, asked(arguments), stdio.errIsTerminal()).forEach(stdio::message);
        }
        return result.outcome().exitCode();
    }

    static void printJson(Result result, Stdio stdio) throws IOException {
        String text = ResultJson.text(result);
        stdio.print((stdio.outIsTerminal() ? TerminalText.json(text) : text) + "\n");
    }

    private static Set<Limit> asked(Arguments arguments) {
        Set<Limit> asked = EnumSet.noneOf(Limit.class);
        for (Map.Entry<Limit, Option> limit : RunOptions.limits().entrySet()) {
            if (arguments.has(limit.getValue())) {
                asked.add(limit.getKey());
            }
        }
        return asked;
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
}
