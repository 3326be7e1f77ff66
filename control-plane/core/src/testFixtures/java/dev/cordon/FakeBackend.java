package dev.cordon;

import dev.cordon.engine.Backend;
import dev.cordon.engine.EndedExecution;
import dev.cordon.engine.Execution;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxException;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.plan.host.MachineSurvey;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Starts nothing: a job runs until it is told to end. */
public final class FakeBackend implements Backend {
    public final List<Plan> started = new ArrayList<>();
    final List<Integer> signals = new ArrayList<>();
    Optional<Outcome.Failed> failure = Optional.empty();
    public Optional<Outcome> endsWith = Optional.of(new Outcome.Exited(0));
    public Optional<MachineFacts> machines = Optional.empty();
    public Optional<ImageRoot> image = Optional.empty();
    public List<String> imageCommand = List.of();
    public Runnable onSurvey = () -> {};
    Usage usage = Usage.none();
    List<Violation> violations = List.of();
    Optional<Outcome.Failed> failsInMachine = Optional.empty();
    Outcome inMachine = new Outcome.Exited(0);
    Optional<OpenSandbox> sandbox = Optional.empty();
    boolean broken;
    boolean closed;

    @Override
    public Execution start(Plan plan, OutputListener listener) throws SandboxException {
        if (failure.isPresent()) {
            throw new SandboxException(failure.get());
        }
        if (plan.sandbox().tier() instanceof Tier.Machine && failsInMachine.isPresent()) {
            throw new SandboxException(failsInMachine.get());
        }
        started.add(plan);
        listener.output(OutputListener.Source.STDOUT, new byte[] {'x'});
        CompletableFuture<Result> result = new CompletableFuture<>();
        if (plan.sandbox().tier() instanceof Tier.Machine) {
            result.complete(result(plan, inMachine));
        } else {
            endsWith.ifPresent(outcome -> result.complete(result(plan, outcome)));
        }
        return new EndedExecution(result(plan, new Outcome.Cancelled())) {
            @Override
            public CompletableFuture<Result> result() {
                if (broken) {
                    throw new IllegalStateException("no result");
                }
                return result;
            }

            @Override
            public void cancel() {
                result.complete(FakeBackend.this.result(plan, new Outcome.Cancelled()));
            }

            @Override
            public void signal(int signal) {
                signals.add(signal);
            }

            @Override
            public void close() {
                cancel();
            }
        };
    }

    @Override
    public MachineSurvey machines() {
        onSurvey.run();
        return new MachineSurvey() {
            @Override
            public MachineFacts facts(JobSpec job) throws HostUnsupportedException {
                return machines.isPresent()
                        ? machines.get()
                        : MachineSurvey.none().facts(job);
            }

            @Override
            public ImageRoot image(String name) throws HostUnsupportedException {
                return image.isPresent() ? image.get() : MachineSurvey.none().image(name);
            }

            @Override
            public List<String> command(String name) {
                return imageCommand;
            }
        };
    }

    @Override
    public OpenSandbox open(SandboxPlan plan) throws SandboxException {
        return sandbox.orElseThrow(
                () -> new SandboxException(new Outcome.HostUnsupported("sandboxes", "use a real backend")));
    }

    private Result result(Plan plan, Outcome outcome) {
        return new Result(
                plan.id(),
                outcome,
                Output.empty(),
                Output.empty(),
                usage,
                new Result.Applied(
                        plan.isolation(),
                        null,
                        plan.reasons(),
                        plan.sandbox().remarks().layersMissing(),
                        List.of()),
                new Result.Times(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH),
                plan.sandbox().tier() instanceof Tier.Machine ? List.of() : violations,
                List.of(),
                null,
                Result.Collected.NONE);
    }

    @Override
    public void close() {
        closed = true;
    }
}
