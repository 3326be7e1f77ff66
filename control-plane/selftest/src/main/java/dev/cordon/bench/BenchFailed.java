package dev.cordon.bench;

import dev.cordon.result.Result;
import java.io.IOException;

/** A comparison could not be made; the message says why. */
public final class BenchFailed extends IOException {
    private static final long serialVersionUID = 1L;

    /** What did not run as it should. */
    public BenchFailed(String message) {
        super(message);
    }

    /** A number that comes from a job that went wrong is none. */
    static Result unlessSucceeded(Result result) throws BenchFailed {
        if (result.succeeded()) {
            return result;
        }
        throw new BenchFailed("a job of the benchmark went wrong: " + result.outcome());
    }
}
