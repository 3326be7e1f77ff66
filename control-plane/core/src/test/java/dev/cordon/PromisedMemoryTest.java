package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cordon.config.Config;
import dev.cordon.config.IdRange;
import dev.cordon.config.MemorySettings;
import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.Hosts;
import dev.cordon.plan.MachinePlan;
import dev.cordon.plan.Plan;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.plan.host.HostSurvey;
import dev.cordon.plan.planner.JobPlanner;
import dev.cordon.policy.Decision;
import dev.cordon.quota.MemoryNeed;
import dev.cordon.result.Acceleration;
import dev.cordon.result.Outcome;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is promised is given back, whatever fails; the engine is a fake. */
class PromisedMemoryTest {
    private static final ByteSize NOTHING = ByteSize.bytes(0);

    /** With nothing to promise: one job at a time, and nobody waits. */
    private static final MemorySettings ONE =
            new MemorySettings(ByteSize.parse("16T"), 1, 1, Duration.ZERO).ofService(ByteSize.mib(64));

    private final FakeBackend backend = new FakeBackend();
    private Cordon cordon;

    @BeforeEach
    void open() throws IOException {
        Config config = new Config(
                        Map.of(),
                        Map.of(),
                        new IdRange(5000, 10),
                        Path.of("/nonexistent/state"),
                        Path.of("/nonexistent/run"),
                        new TreeMap<>())
                .withMemory(ONE);
        cordon = new Cordon(config, new HostSurvey(config.ids(), config.runDirectory()), _ -> backend);
    }

    @Test
    void theServiceItselfWaitsForNobodysMemory() {
        backend.endsWith = Optional.empty();
        try (RunningJob alices = cordon.start(Job.argv("true").owner("alice"))) {
            backend.endsWith = Optional.of(new Outcome.Exited(0));
            Job small = Job.argv("true").memory(MemorySettings.SERVICE_JOBS);
            assertThat(cordon.run(small.owner("bob")).outcome()).isInstanceOf(Outcome.Denied.class);
            assertThat(cordon.run(small.owner(MemorySettings.SERVICE)).succeeded())
                    .isTrue();
            assertThat(cordon.run(Job.argv("true").owner(MemorySettings.SERVICE))
                            .outcome())
                    .as("more than what is kept for it")
                    .isInstanceOf(Outcome.Denied.class);
            assertThat(alices.result()).isNotDone();
        }
    }

    @Test
    void whatFailsBetweenStartAndEndGivesItsMemoryBack() {
        backend.broken = true;
        assertThatIllegalStateException().isThrownBy(() -> cordon.run(Job.argv("true")));
        assertThat(cordon.memory().promised()).isEqualTo(NOTHING);
    }

    @Test
    void aSandboxThatNobodyGetsIsClosed() {
        CompletableFuture<SandboxEndReason> end = new CompletableFuture<>();
        AtomicInteger asked = new AtomicInteger();
        backend.sandbox = Optional.of(sandbox(end, asked));
        assertThatIllegalStateException()
                .isThrownBy(() -> cordon.openSandbox(SandboxSpec.create().ttl(Duration.ofHours(1))));
        assertThat(end).as("closed").isDone();
        assertThat(cordon.memory().promised()).isEqualTo(NOTHING);
    }

    @Test
    void aSandboxWhoseEndIsNotKnownGivesItsMemoryBack() {
        CompletableFuture<SandboxEndReason> end = new CompletableFuture<>();
        backend.sandbox = Optional.of(sandbox(end, new AtomicInteger()));
        Sandbox opened = cordon.openSandbox(SandboxSpec.create());
        assertThat(opened.id()).isNotNull();
        assertThat(cordon.memory().promised()).isNotEqualTo(NOTHING);
        end.completeExceptionally(new IllegalStateException("lost"));
        assertThat(cordon.memory().promised()).isEqualTo(NOTHING);
    }

    /** Tells its end once, to whoever counts it; the clock, which asks next, meets an error. */
    private static OpenSandbox sandbox(CompletableFuture<SandboxEndReason> end, AtomicInteger asked) {
        return (OpenSandbox) Proxy.newProxyInstance(
                OpenSandbox.class.getClassLoader(), new Class<?>[] {OpenSandbox.class}, (_, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        end.complete(SandboxEndReason.CLOSED);
                        return null;
                    }
                    if (method.getName().equals("end") && arguments == null && asked.getAndIncrement() == 0) {
                        return end;
                    }
                    throw new IllegalStateException(method.getName());
                });
    }

    @Test
    void aJobThatMayBeRunAgainInAMachineIsPromisedThatMachine() {
        for (int mebibytes : new int[] {64, 512, 900, 1400, 3000}) {
            ByteSize limit = ByteSize.mib(mebibytes);
            Limits limits = Job.argv("true").memory(limit).validate().limits();
            assertThat(MemoryNeed.escalating(Isolation.JAIL, limits).bytes())
                    .as("%s", limit)
                    .isGreaterThan(MachinePlan.memoryFor(limit).bytes());
        }
    }

    @Test
    void aMachineIsPromisedWhatItsPlanGivesIt() throws HostUnsupportedException {
        HostFacts host = Hosts.plain(
                0,
                0,
                false,
                new IdRange(5000, 10),
                Optional.empty(),
                new TreeMap<>(),
                Path.of("/run/cordon"),
                Map.of());
        SortedMap<String, HostEntry> root = new TreeMap<>();
        List.of("/usr", "/bin", "/lib", "/etc").forEach(path -> root.put(path, new HostEntry.Directory()));
        MachineFacts machines = new MachineFacts(
                "base", ImageRoot.ofMachine(root, ImageSettings.NONE), Acceleration.ACCELERATED, "", true, 2);
        for (int mebibytes : new int[] {64, 512, 3000}) {
            JobSpec job = Job.argv("true").memory(ByteSize.mib(mebibytes)).validate();
            Plan plan = JobPlanner.plan(
                    new JobId("job_vm"),
                    job,
                    new Decision.Allowed(Isolation.VM, List.of("a test")),
                    HostView.of(host).withMachines(machines));
            assertThat(MemoryNeed.of(Isolation.VM, job.limits()).bytes())
                    .isEqualTo(((Tier.Machine) plan.sandbox().tier())
                                    .machine()
                                    .memory()
                                    .bytes()
                            + ByteSize.mib(192).bytes());
        }
    }

    @Test
    void aServicesHeapIsNotPromisedToJobs() {
        ByteSize host = ByteSize.gib(8);
        ByteSize heap = ByteSize.gib(2);
        MemorySettings usual = MemorySettings.STANDARD;
        assertThat(usual.ofService(heap).budget(host, NOTHING).bytes() + heap.bytes() + host.bytes() / 8)
                .isLessThanOrEqualTo(host.bytes());
        assertThat(usual.budget(host, NOTHING)).isEqualTo(ByteSize.gib(7));
        assertThat(new MemorySettings(ByteSize.gib(4), 1, 1, Duration.ZERO)
                        .ofService(heap)
                        .budget(host, NOTHING))
                .as("a reserve that is set holds it")
                .isEqualTo(ByteSize.gib(4));
    }
}
