package dev.cordon.server.job;

import dev.cordon.Cordon;
import dev.cordon.config.AuditSettings;
import dev.cordon.doctor.AuditCheck;
import dev.cordon.result.Escalation;
import dev.cordon.result.Result;
import dev.cordon.result.SandboxInfo;
import dev.cordon.result.Violation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The figures of jobs. Labels have few values: never an id, an owner or a text of a job. */
public final class JobMetrics {
    private final MeterRegistry registry;
    private final Timer wait;

    /** Registers them. */
    public JobMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.wait = Timer.builder("cordon.queue.wait")
                .description("From the request to the start")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(5))
                .register(registry);
        // From the start, at 0: an increase from nothing to one is none to Prometheus.
        for (Escalation.Cause cause : Escalation.Cause.values()) {
            escalations(cause);
        }
        violations("seccomp");
        violations("network");
    }

    private Counter escalations(Escalation.Cause cause) {
        return Counter.builder("cordon.escalations")
                .description("Jobs that were stopped in the jail and run again in a virtual machine")
                .tag("reason", cause.label())
                .register(registry);
    }

    private Counter violations(String kind) {
        return Counter.builder("cordon.violations")
                .description("Refused calls of the tripwire set, and attempts to reach the network")
                .tag("kind", kind)
                .register(registry);
    }

    /**
     * Shows whether jobs can run here, and since when the service does.
     *
     * @param ready what GET /readyz says, as far as is known without a look at the host
     */
    public void watch(BooleanSupplier ready) {
        gauge(
                "cordon.ready",
                "1 when jobs can run here, as GET /readyz says it; looked at every minute",
                () -> ready.getAsBoolean() ? 1 : 0);
        Instant start = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
        Gauge.builder("process.start.time", () -> start.toEpochMilli() / 1e3)
                .description("When the service was started, since the epoch")
                .baseUnit("seconds")
                .register(registry);
    }

    /** Shows how many lines of the log were dropped. */
    public void watchLog(LongSupplier dropped) {
        FunctionCounter.builder("cordon.log.dropped", registry, _ -> dropped.getAsLong())
                .description("Lines of the log that were dropped, because nobody read it")
                .register(registry);
    }

    /** Shows the queue. */
    public void watch(JobQueue queue) {
        gauge("cordon.queue.depth", "Jobs that wait for a slot", queue::queued);
        gauge("cordon.jobs.running", "Jobs that have a slot", queue::running);
    }

    /** Shows how much the audit log holds, and for how much more its disk has room. */
    public void watch(AuditSettings audit) {
        if (audit.enabled()) {
            bytes("cordon.audit", "What the files of the audit log hold", () -> AuditCheck.held(audit));
            bytes("cordon.audit.keep", "What they may hold: audit.keep", audit.keep()::bytes);
            bytes(
                    "cordon.audit.disk.free",
                    "What is free on the disk of the audit log; without room no job is admitted",
                    () -> AuditCheck.free(audit));
        }
    }

    /** A figure; as a supplier, because other values are held weakly. */
    private void gauge(String name, String description, Supplier<Number> figure) {
        Gauge.builder(name, figure).description(description).register(registry);
    }

    /** A number of bytes; none where it cannot be looked at. */
    private void bytes(String name, String description, Callable<Long> look) {
        Gauge.builder(name, () -> {
                    try {
                        return look.call();
                    } catch (Exception e) {
                        return Double.NaN;
                    }
                })
                .description(description)
                .baseUnit("bytes")
                .register(registry);
    }

    /** Shows the sandboxes. */
    public void watch(SandboxDesk sandboxes) {
        for (SandboxInfo.State state : List.of(SandboxInfo.State.OPEN, SandboxInfo.State.PAUSED)) {
            Gauge.builder("cordon.sandboxes", sandboxes, desk -> desk.count(state))
                    .description("Sandboxes that clients hold open")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    /** Shows the sandboxes that were opened ahead of jobs, and what runs. */
    public void watch(Cordon cordon, String version) {
        gauge(
                "cordon.warm.pool.size",
                "Sandboxes that wait for jobs",
                () -> cordon.pool().idle());
        bytes(
                "cordon.memory.budget",
                "What of the host's memory may be promised to jobs and sandboxes, by their limits",
                () -> cordon.memory().budget().bytes());
        bytes(
                "cordon.memory.promised",
                "What is promised",
                () -> cordon.memory().promised().bytes());
        gauge(
                "cordon.memory.waiting",
                "Jobs that wait until others give memory back",
                () -> cordon.memory().waiting());
        FunctionCounter.builder(
                        "cordon.memory.refused", cordon, each -> each.memory().refused())
                .description("Jobs and sandboxes that were refused for memory")
                .register(registry);
        Gauge.builder("cordon.build.info", () -> 1)
                .description("What runs; always 1")
                .tag("version", version)
                .tag("java", Runtime.version().toString())
                .register(registry);
    }

    void waited(Duration time) {
        wait.record(time);
    }

    /** The ends of so many jobs are written; every one counts, also that of a job which never ran. */
    void ended(String outcome, String isolation, int jobs) {
        Counter.builder("cordon.jobs")
                .description("Jobs that ended")
                .tag("outcome", outcome)
                .tag("isolation", isolation)
                .register(registry)
                .increment(jobs);
    }

    /** What a job that ran took; it began warm in a sandbox that was there before it. */
    void finished(Result result, boolean warm) {
        String isolation = result.applied().isolation() == null
                ? "none"
                : result.applied().isolation().label();
        histogram("cordon.job.duration", "From the start to the end", Tags.of("isolation", isolation))
                .record(Duration.between(
                        result.times().created(), result.times().finished()));
        if (result.times().started() != null) {
            histogram(
                            "cordon.sandbox.start",
                            "Until the program ran",
                            Tags.of("isolation", isolation, "launch", warm ? "warm" : "cold"))
                    .record(Duration.between(
                            result.times().created(), result.times().started()));
        }
        Escalation escalation = result.escalation();
        if (escalation != null && escalation.happened()) {
            escalations(escalation.cause()).increment();
        }
        for (Violation violation : result.violations()) {
            violations(violation.syscall().equals(Violation.NETWORK) ? "network" : "seccomp")
                    .increment((double) violation.count());
        }
    }

    private Timer histogram(String name, String description, Tags tags) {
        return Timer.builder(name)
                .description(description)
                .tags(tags)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(10))
                .register(registry);
    }
}
