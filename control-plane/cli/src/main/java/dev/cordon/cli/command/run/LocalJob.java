package dev.cordon.cli.command.run;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.StatsSampler;
import dev.cordon.result.Result;
import dev.cordon.result.UsageSample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job of this process, and the library that runs it: both end here.
 *
 * @param cordon the library
 * @param job    the job
 * @param stats  looks at it; null for nobody
 */
public record LocalJob(
        Cordon cordon, RunningJob job, @Nullable StatsSampler stats) implements AwaitedJob<Result> {
    @Override
    public void cancel() {
        job.cancel();
    }

    @Override
    public Result await() {
        while (true) {
            try {
                return job.await();
            } catch (InterruptedException interrupted) {
                job.cancel();
            }
        }
    }

    @Override
    public List<UsageSample> samples() {
        return stats == null ? List.of() : stats.samples();
    }

    @Override
    public void close() {
        try (cordon) {
            job.close();
        }
    }
}
