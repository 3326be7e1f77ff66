package dev.cordon.server.job;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.SandboxRefused;
import dev.cordon.job.FieldError;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.json.SentFields;
import dev.cordon.result.Outcome;
import dev.cordon.result.SandboxInfo;
import dev.cordon.server.access.Caller;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The sandboxes that clients opened. Each is its owner's alone; they end with the service. */
public final class SandboxDesk implements AutoCloseable {
    private static final int REMEMBERED = 1_000;

    /**
     * How many are open at once.
     *
     * @param all      of all owners
     * @param perOwner of one of them
     * @param idle     after how long without work one ends that does not ask
     * @param mostIdle the most that one may ask for
     */
    public record Bounds(int all, int perOwner, Duration idle, Duration mostIdle) {}

    private final Cordon cordon;
    private final Bounds bounds;
    private final ConcurrentHashMap<String, Sandbox> open = new ConcurrentHashMap<>();
    private final ScopedLock lock = new ScopedLock();
    /** How many each owner has, those that are being opened among them. */
    private final Map<String, Integer> taken = new HashMap<>();

    /** Owners of sandboxes that are over, so that they are told so; the oldest are forgotten. */
    private final Map<String, String> over = new LinkedHashMap<>();

    /** Opens no more than that many at a time. */
    public SandboxDesk(Cordon cordon, Bounds bounds) {
        this.cordon = cordon;
        this.bounds = bounds;
    }

    /**
     * Opens one.
     *
     * @param sent how the client wrote it
     * @throws RequestProblem when it is invalid, denied or could not be made, or when there are too many
     */
    public Sandbox open(SandboxSpec spec, String owner, SentFields sent) {
        SandboxSpec bounded = withIdle(spec);
        take(owner);
        Sandbox sandbox;
        try {
            sandbox = cordon.openSandbox(bounded.owner(owner));
        } catch (SandboxRefused e) {
            giveBack(owner);
            throw e.outcome() instanceof Outcome.Invalid invalid
                    ? RequestProblem.of(ProblemCode.INVALID_REQUEST, sent.named(invalid.errors()))
                    : problem(e.outcome());
        } catch (RuntimeException | Error e) {
            giveBack(owner);
            throw e;
        }
        open.put(sandbox.id().value(), sandbox);
        var _ = sandbox.ended().whenComplete((_, _) -> ended(sandbox));
        return sandbox;
    }

    /** One that nobody uses any more gives its memory back, also when its client forgot it. */
    private SandboxSpec withIdle(SandboxSpec spec) {
        Duration asked = spec.idleTimeout().orElse(bounds.idle());
        if (asked.compareTo(bounds.mostIdle()) > 0) {
            throw RequestProblem.of(
                    ProblemCode.INVALID_REQUEST,
                    List.of(new FieldError(
                            "/idle_timeout",
                            DurationFormat.format(asked),
                            "is more than server.max_sandbox_idle = " + DurationFormat.format(bounds.mostIdle()),
                            "give at most that, or leave it out for " + DurationFormat.format(bounds.idle()))));
        }
        return spec.idleTimeout(asked);
    }

    private void take(String owner) {
        try (ScopedLock.Held _ = lock.hold()) {
            int own = taken.getOrDefault(owner, 0);
            int all = taken.values().stream().mapToInt(Integer::intValue).sum();
            if (own >= bounds.perOwner()) {
                throw full(own + " sandboxes of " + owner + " are open, as many as server.max_sandboxes_per_owner = "
                        + bounds.perOwner() + " lets one owner have; end one with DELETE /v1/sandboxes/{id}, or have"
                        + " the setting raised");
            }
            if (all >= bounds.all()) {
                throw full(all + " sandboxes are open, as many as server.max_sandboxes = " + bounds.all()
                        + " allows; end one with DELETE /v1/sandboxes/{id}, or try again later");
            }
            taken.merge(owner, 1, Integer::sum);
        }
    }

    private static RequestProblem full(String detail) {
        return RequestProblem.of(ProblemCode.QUEUE_FULL, detail).retryAfter(Duration.ofSeconds(5));
    }

    private void giveBack(String owner) {
        try (ScopedLock.Held _ = lock.hold()) {
            taken.computeIfPresent(owner, (ignored, count) -> count > 1 ? count - 1 : null);
        }
    }

    private void ended(Sandbox sandbox) {
        String id = sandbox.id().value();
        if (open.remove(id) == null) {
            return;
        }
        giveBack(sandbox.info().owner());
        try (ScopedLock.Held _ = lock.hold()) {
            over.put(id, sandbox.info().owner());
            if (over.size() > REMEMBERED) {
                over.remove(over.keySet().iterator().next());
            }
        }
    }

    /**
     * A sandbox that can do something now.
     *
     * @throws RequestProblem also when it is paused: whatever is asked of it would wait for somebody else's request
     */
    public Sandbox awake(String id, Caller caller) {
        Sandbox sandbox = find(id, caller);
        if (sandbox.info().state() == SandboxInfo.State.PAUSED) {
            throw RequestProblem.of(
                    ProblemCode.STATE_CONFLICT, "the sandbox is paused; POST /v1/sandboxes/" + id + "/resume first");
        }
        return sandbox;
    }

    /**
     * A sandbox of this caller's.
     *
     * @throws RequestProblem when there is none, or it is over
     */
    public Sandbox find(String id, Caller caller) {
        Optional<Sandbox> sandbox = Optional.ofNullable(open.get(id))
                .filter(found -> caller.sees(found.info().owner()));
        if (sandbox.isPresent()) {
            return sandbox.get();
        }
        String owner;
        try (ScopedLock.Held _ = lock.hold()) {
            owner = over.get(id);
        }
        throw owner != null && caller.sees(owner)
                ? RequestProblem.of(ProblemCode.SANDBOX_EXPIRED, "the sandbox has ended; open another one")
                : RequestProblem.of(ProblemCode.SANDBOX_NOT_FOUND, "there is no such sandbox of yours");
    }

    /** Whose an open one is. */
    public Optional<String> owner(String id) {
        return Optional.ofNullable(open.get(id)).map(sandbox -> sandbox.info().owner());
    }

    /** Those that a caller sees, the oldest first. */
    public List<Sandbox> list(Caller caller) {
        Collection<Sandbox> all = open.values();
        return all.stream()
                .filter(sandbox -> caller.sees(sandbox.info().owner()))
                .sorted((a, b) -> a.id().value().compareTo(b.id().value()))
                .toList();
    }

    /** How many there are. */
    public int count() {
        return open.size();
    }

    /** How many are in that state. */
    long count(SandboxInfo.State state) {
        return open.values().stream()
                .filter(sandbox -> sandbox.info().state() == state)
                .count();
    }

    /** What kept a sandbox from being made, as an answer. */
    public static RequestProblem problem(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Invalid invalid -> RequestProblem.of(ProblemCode.INVALID_REQUEST, invalid.errors());
            case Outcome.Denied denied -> denied(denied);
            case Outcome.HostUnsupported unsupported ->
                RequestProblem.of(
                        ProblemCode.of(unsupported.fault(), ProblemCode.HOST_UNSUPPORTED),
                        unsupported.check() + "; " + unsupported.remedy());
            case Outcome.SetupFailed failed ->
                RequestProblem.of(
                        failed.fault() == Outcome.Fault.DESCRIPTORS
                                ? ProblemCode.NO_CAPACITY
                                : ProblemCode.SANDBOX_ERROR,
                        failed.stage() + " " + failed.error() + ": " + failed.detail() + "; " + failed.remedy());
            case Outcome.Ended ended ->
                RequestProblem.of(ProblemCode.STATE_CONFLICT, "the sandbox ended: " + ended.label());
        };
    }

    private static RequestProblem denied(Outcome.Denied denied) {
        String reasons = String.join("; ", denied.reasons());
        Duration retry = denied.retryAfter();
        return retry == null
                ? RequestProblem.of(
                        denied.outOfRange() ? ProblemCode.ISOLATION_UNAVAILABLE : ProblemCode.DENIED, reasons)
                : RequestProblem.of(ProblemCode.RATE_LIMITED, reasons).retryAfter(retry);
    }

    @Override
    public void close() {
        open.values().forEach(Sandbox::close);
    }
}
