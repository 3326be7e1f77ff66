package dev.cordon.bench;

import dev.cordon.Cordon;
import dev.cordon.api.Job;

/** A jail made for the run and gone after it. */
record ColdContender(Cordon cordon) implements Contender {
    static final String NAME = "Cordon, cold";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run() throws BenchFailed {
        Jobs.mustSucceed(cordon.run(Job.argv(Programs.TRUE)));
    }
}
