package dev.cordon.cli.terminal;

import dev.cordon.RunningJob;
import dev.cordon.result.UsageSample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Samples a running job until it ends. Bounded: a long job is sampled less often instead of more. */
public final class StatsSampler {
    private static final int MOST = 512;
    private static final long FIRST_PERIOD_MILLIS = 20;

    private final RunningJob job;
    private final List<UsageSample> samples = new ArrayList<>();
    private final Thread thread;

    private StatsSampler(RunningJob job) {
        this.job = job;
        this.thread = Thread.ofVirtual().name("cordon-stats").unstarted(this::run);
    }

    /** Begins. */
    public static StatsSampler of(RunningJob job) {
        StatsSampler sampler = new StatsSampler(job);
        sampler.thread.start();
        return sampler;
    }

    /** All samples; waits until the job is over. */
    public List<UsageSample> samples() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return List.copyOf(samples);
    }

    private void run() {
        long period = FIRST_PERIOD_MILLIS;
        do {
            UsageSample sample = job.sample();
            if (sample.memory() != null || sample.cpu() != null) {
                samples.add(sample);
            }
            if (samples.size() >= MOST) {
                for (int other = samples.size() - 1; other > 0; other -= 2) {
                    samples.remove(other);
                }
                period *= 2;
            }
        } while (!overWithin(period));
    }

    private boolean overWithin(long millis) {
        try {
            job.result().get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException | ExecutionException e) {
            return true;
        }
    }
}
