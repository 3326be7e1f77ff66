package dev.cordon;

import dev.cordon.flow.AwakeTime;
import dev.cordon.interpreter.InterpreterHost;
import dev.cordon.interpreter.RunLimits;
import dev.cordon.job.Job;
import dev.cordon.job.Language;
import dev.cordon.result.Result;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs an interpreter as a command of a sandbox. The command waits for code and lives as long as any may; each run is judged, admitted and
 * recorded by itself, with its own time limit.
 */
final class SandboxInterpreterHost implements InterpreterHost {
    private final Sandbox sandbox;
    private final StandingSandbox standing;
    private final AwakeTime awake;
    private final AtomicLong charged = new AtomicLong();

    SandboxInterpreterHost(Sandbox sandbox, StandingSandbox standing, AwakeTime awake) {
        this.sandbox = sandbox;
        this.standing = standing;
        this.awake = awake;
    }

    @Override
    public Program start(Job job) {
        charged.set(0);
        return new Waiting(sandbox.startWaiting(job, charged::get));
    }

    @Override
    public long awakeNanos() {
        return awake.nanos();
    }

    @Override
    public Turn judge(Language language, String code, RunLimits limits) {
        InterpreterEntry run =
                new InterpreterEntry(Cordon.newId(), Instant.now(), language, code, limits, standing, charged);
        return standing.cordon().flow().run(run);
    }

    private record Waiting(RunningJob job) implements Program {
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
