package dev.cordon.bench;

import dev.cordon.api.Outcome;
import dev.cordon.api.Result;

/** The jobs of the benchmark. */
final class Jobs {
    private Jobs() {}

    /** A number that comes from a job that went wrong is none. */
    static Result mustSucceed(Result result) throws BenchFailed {
        if (result.outcome() instanceof Outcome.Exited exited && exited.code() == 0) {
            return result;
        }
        throw new BenchFailed("a job of the benchmark went wrong: " + result.outcome());
    }
}
