package dev.cordon.engine.pool;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.engine.Backend;
import dev.cordon.engine.Execution;
import dev.cordon.engine.FileAccess;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileAnswer;
import dev.cordon.engine.file.FileEndpoint;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.UsageSample;
import dev.cordon.result.Violation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens sandboxes that are only counted. */
final class FakeSandboxes implements Backend {
    final List<FakeSandbox> opened = new CopyOnWriteArrayList<>();
    final List<Plan> cold = new CopyOnWriteArrayList<>();
    final AtomicInteger attempts = new AtomicInteger();
    volatile boolean broken;
    volatile boolean closed;
    volatile ByteSize memory = ByteSize.mib(1);

    /** One of them. */
    final class FakeSandbox implements OpenSandbox {
        final List<ExecPlan> ran = new CopyOnWriteArrayList<>();
        private final SandboxPlan plan;
        private final CompletableFuture<SandboxEndReason> end = new CompletableFuture<>();

        FakeSandbox(SandboxPlan plan) {
            this.plan = plan;
        }

        @Override
        public SandboxPlan plan() {
            return plan;
        }

        @Override
        public Execution exec(ExecPlan command, OutputListener listener) {
            throw new UnsupportedOperationException("a waiting sandbox serves one job");
        }

        @Override
        public Execution only(ExecPlan command, OutputListener listener) {
            throw new UnsupportedOperationException("a waiting sandbox serves one job");
        }

        @Override
        public Execution last(ExecPlan command, OutputListener listener) throws SandboxException {
            ran.add(command);
            throw new SandboxException(new Outcome.HostUnsupported("commands", "use a real backend"));
        }

        @Override
        public CompletableFuture<FileAnswer> request(FileRequest request) {
            return new CompletableFuture<>();
        }

        @Override
        public FileEndpoint content(Fd file) {
            throw new UnsupportedOperationException();
        }

        @Override
        public DirectoryListing listing(Fd directory, String path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileAccess files() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean receives() {
            return false;
        }

        @Override
        public boolean fits(long bytes) {
            return true;
        }

        @Override
        public CompletableFuture<Integer> written(int id) {
            return CompletableFuture.completedFuture(0);
        }

        @Override
        public void empty() {}

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public UsageSample sample() {
            return new UsageSample(Duration.ZERO, memory, null, null);
        }

        @Override
        public List<String> layersMissing() {
            return List.of();
        }

        @Override
        public List<Limit> limitsNotEnforced() {
            return List.of();
        }

        @Override
        public int running() {
            return 0;
        }

        @Override
        public List<Violation> violations() {
            return List.of();
        }

        @Override
        public CompletableFuture<SandboxEndReason> end() {
            return end;
        }

        @Override
        public void end(SandboxEndReason reason) {
            end.complete(reason);
        }

        @Override
        public void close() {
            end(SandboxEndReason.CLOSED);
        }
    }

    @Override
    public Execution start(Plan plan, OutputListener listener) throws SandboxException {
        cold.add(plan);
        throw new SandboxException(new Outcome.HostUnsupported("commands", "use a real backend"));
    }

    @Override
    public OpenSandbox open(SandboxPlan plan) throws SandboxException {
        attempts.incrementAndGet();
        if (broken) {
            throw new SandboxException(new Outcome.HostUnsupported("sandboxes", "it was told to fail"));
        }
        FakeSandbox sandbox = new FakeSandbox(plan);
        opened.add(sandbox);
        return sandbox;
    }

    long alive() {
        return opened.stream().filter(each -> !each.end().isDone()).count();
    }

    @Override
    public void close() {
        closed = true;
    }
}
