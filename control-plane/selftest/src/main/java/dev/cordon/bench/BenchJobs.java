package dev.cordon.bench;

import dev.cordon.result.Outcome;
import dev.cordon.result.Result;

/** The jobs of the benchmark. */
final class BenchJobs {
    private BenchJobs() {}

    /** A number that comes from a job that went wrong is none. */
    static Result mustSucceed(Result result) throws BenchFailed {
        if (result.outcome() instanceof Outcome.Exited exited && exited.code() == 0) {
            return result;
        }
        throw new BenchFailed("a job of the benchmark went wrong: " + result.outcome());
    }
}
