package dev.cordon.cli.command.run;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.cli.terminal.Running;
import dev.cordon.cli.terminal.StatsSampler;
import dev.cordon.result.Result;
import dev.cordon.result.UsageSample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job of this process, and the library that runs it: both end here. */
public final class LocalJob implements Running<Result> {
    private final Cordon cordon;
    private final RunningJob job;
    private final @Nullable StatsSampler stats;

    public LocalJob(Cordon cordon, RunningJob job, boolean sampled) {
        this.cordon = cordon;
        this.job = job;
        this.stats = sampled ? StatsSampler.of(job) : null;
    }

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
