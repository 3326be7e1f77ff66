package dev.cordon.bench;

import dev.cordon.Cordon;
import dev.cordon.job.Job;
import java.util.concurrent.TimeUnit;

/**
 * A jail of its own for each run, gone after it.
 *
 * @param name   what the report calls it
 * @param cordon where the jail may have been open and waiting, or its supervisor started ahead
 */
record JailContender(String name, Cordon cordon) implements BenchContender {
    static final String POOLED = "Cordon, from the pool";
    static final String AHEAD = "Cordon, cold";
    static final String NOTHING = "Cordon, cold from nothing";

    @Override
    public void run() throws BenchFailed {
        BenchFailed.unlessSucceeded(cordon.run(Job.argv(RivalPrograms.TRUE)));
    }

    /** Otherwise it would be measured how fast the pool fills, or the next supervisor is started. */
    @Override
    public void prepare(int runs) throws Exception {
        cordon.prepare(Job.argv(RivalPrograms.TRUE)).get(1, TimeUnit.MINUTES);
    }
}
