package dev.cordon.bench;

import dev.cordon.Cordon;
import dev.cordon.job.Job;
import java.util.concurrent.TimeUnit;

/** A jail of its own for each run, which was open and waiting; it ends with the run. */
record PooledContender(Cordon cordon) implements Contender {
    static final String NAME = "Cordon, from the pool";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run() throws BenchFailed {
        BenchJobs.mustSucceed(cordon.run(Job.argv(RivalPrograms.TRUE)));
    }

    /** Otherwise it would be measured how fast the pool fills. */
    @Override
    public void prepare(int runs) throws Exception {
        cordon.prepare(Job.argv(RivalPrograms.TRUE)).get(1, TimeUnit.MINUTES);
    }
}
