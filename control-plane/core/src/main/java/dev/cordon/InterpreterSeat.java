package dev.cordon;

import dev.cordon.api.Job;
import dev.cordon.api.Limit;
import dev.cordon.api.Result;
import dev.cordon.interpreter.Seat;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Runs interpreters as commands of a sandbox. They live as long as the operator lets any command live: each run has its own time limit.
 *
 * @param sandbox  where
 * @param ceilings the most of a limit that a job may ask for
 * @param awake    stands still while the sandbox is paused
 */
record InterpreterSeat(Sandbox sandbox, Function<Limit, String> ceilings, AwakeTime awake) implements Seat {
    @Override
    public Program start(Job job) {
        Job patient = job.limit(Limit.TIMEOUT, ceilings.apply(Limit.TIMEOUT))
                .limit(Limit.CPU_TIME, ceilings.apply(Limit.CPU_TIME));
        return new Command(sandbox.start(patient));
    }

    @Override
    public long awakeNanos() {
        return awake.nanos();
    }

    private record Command(RunningJob job) implements Program {
        @Override
        public OutputStream stdin() {
            return job.stdin();
        }

        @Override
        public InputStream stdout() {
            return job.stdout();
        }

        @Override
        public CompletableFuture<Result> result() {
            return job.result();
        }

        @Override
        public void close() {
            job.close();
        }
    }
}
