package dev.cordon.cli.command.run;

import dev.cordon.DryRun;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.cli.terminal.JobInterruption;
import dev.cordon.cli.terminal.OutputRelay;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.StatsChart;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.ResultJson;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where somebody watches a job: its output is passed on, Ctrl-C cancels it, and its end is told. */
public final class JobConsole implements AutoCloseable {
    private static final int STATS_COLUMNS = 60;

    private final ParsedArguments arguments;
    private final StandardStreams stdio;
    private final OutputRelay relay;
    private final OutputListener listener;
    private final @Nullable ArtifactFolder artifacts;
    private final JobInterruption interruption = new JobInterruption();

    public JobConsole(ParsedArguments arguments, StandardStreams stdio) {
        this.arguments = arguments;
        this.stdio = stdio;
        this.relay = new OutputRelay(stdio, arguments.has(RunOptions.RAW));
        OutputListener shown = arguments.has(CommandOption.JSON) ? OutputListener.none() : relay;
        this.artifacts = arguments.has(RunOptions.ARTIFACT) ? new ArtifactFolder(arguments, stdio, shown) : null;
        this.listener = artifacts == null ? shown : artifacts;
    }

    /** What is to hear of the job while it runs. */
    public OutputListener listener() {
        return listener;
    }

    /** Waits for the end of what was started with that listener. */
    public <T> T await(AwaitedJob<T> running) throws CommandFailure, IOException {
        interruption.cancels(running);
        relay.whenGone(running);
        T end = running.await();
        if (arguments.has(RunOptions.STATS) && !(running instanceof AwaitedJob.Ended)) {
            stdio.messages(new StatsChart(running.samples(), STATS_COLUMNS).lines());
        }
        relay.finish();
        return end;
    }

    /** Follows a job to its end, and reports it. */
    public int follow(AwaitedJob<Result> running) throws CommandFailure, IOException {
        try (running) {
            int code = report(await(running));
            return artifacts == null ? code : artifacts.code(code);
        }
    }

    /** Shows how a job would be started. */
    int show(DryRun dryRun) throws IOException {
        return switch (dryRun) {
            case DryRun.Refused refused -> report(refused.result());
            case DryRun.Ready ready -> {
                stdio.printJson(ready.plan());
                yield 0;
            }
        };
    }

    private int report(Result result) throws IOException {
        boolean json = arguments.has(CommandOption.JSON);
        if (json) {
            stdio.printJson(ResultJson.text(result));
        }
        if (!json || !(result.outcome() instanceof Outcome.Ended)) {
            stdio.messages(EndMessages.of(result));
        }
        if (!json) {
            stdio.messages(EndMessages.weaknesses(result, asked(), stdio.errIsTerminal()));
        }
        return result.outcome().exitCode();
    }

    private Set<Limit> asked() {
        Set<Limit> asked = EnumSet.noneOf(Limit.class);
        for (Map.Entry<Limit, CommandOption> limit : RunOptions.limits().entrySet()) {
            if (arguments.has(limit.getValue())) {
                asked.add(limit.getKey());
            }
        }
        return asked;
    }

    @Override
    public void close() {
        interruption.close();
    }
}
