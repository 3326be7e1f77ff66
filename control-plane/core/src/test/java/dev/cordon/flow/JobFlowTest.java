package dev.cordon.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.Cordon;
import dev.cordon.DryRun;
import dev.cordon.FakeBackend;
import dev.cordon.PolicedCordon;
import dev.cordon.RunningJob;
import dev.cordon.SandboxRefused;
import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.result.Acceleration;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of the steps, as far as those outside can tell. */
class JobFlowTest {
    private static final String ONE_JOB = """
        version = 1
        [[quota]]
        owner = "*"
        running = 1
        """;

    @TempDir
    private Path folder;

    private final FakeBackend backend = new FakeBackend();

    private Cordon open(String policy) throws IOException {
        TreeMap<String, HostEntry> root = new TreeMap<>();
        List.of("/usr", "/bin", "/lib", "/etc").forEach(path -> root.put(path, new HostEntry.Directory()));
        backend.machines = Optional.of(new MachineFacts(
                "base", ImageRoot.ofMachine(root, ImageSettings.NONE), Acceleration.EMULATED, "no kvm", true, 2));
        return PolicedCordon.onFake(folder, policy, backend);
    }

    private List<String> kinds() {
        try {
            return new AuditReader(folder.resolve("audit"))
                    .last(Integer.MAX_VALUE, record -> true).stream()
                            .map(record -> record.text("kind"))
                            .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void machinesAreLookedAtWhenTheDecisionIsOnRecord() throws IOException {
        List<List<String>> seen = new ArrayList<>();
        backend.onSurvey = () -> seen.add(kinds());
        try (Cordon cordon = open("version = 1\n")) {
            Result result = cordon.run(Job.argv("true").isolation(Isolation.VM));
            assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        }
        assertThat(seen).containsExactly(List.of("decision"));
        assertThat(kinds()).containsExactly("decision", "start", "end");
    }

    @Test
    void nothingIsLookedAtForAJobAboveItsOwnersQuota() throws IOException {
        List<String> surveys = new ArrayList<>();
        backend.endsWith = Optional.empty();
        try (Cordon cordon = open(ONE_JOB);
                RunningJob _ = cordon.start(Job.argv("true"))) {
            backend.onSurvey = () -> surveys.add("survey");
            Result second = cordon.run(Job.argv("true").isolation(Isolation.VM));
            assertThat(second.outcome()).isInstanceOf(Outcome.Denied.class);
            assertThat(surveys).isEmpty();
        }
    }

    /** Nobody checked it when the job was submitted. */
    @Test
    void anImagesCommandIsCheckedLikeAJobsOwn() throws IOException {
        try (Cordon cordon = open("version = 1\n")) {
            for (List<String> command : List.of(List.of("", "x"), List.of("x", "y".repeat(131_072)))) {
                backend.imageCommand = command;
                assertThat(cordon.run(Job.ofImage("tools")).outcome())
                        .isInstanceOfSatisfying(
                                Outcome.Invalid.class,
                                invalid -> assertThat(invalid.errors())
                                        .singleElement()
                                        .satisfies(error ->
                                                assertThat(error.pointer()).startsWith("/argv")));
            }
        }
        assertThat(backend.started).isEmpty();
    }

    @Test
    void aSurveyThatFailsGivesThePlaceBackAndHasAnEnd() throws IOException {
        try (Cordon cordon = open(ONE_JOB)) {
            backend.machines = Optional.empty();
            for (int i = 0; i < 3; i++) {
                Result result = cordon.run(Job.argv("true").isolation(Isolation.VM));
                assertThat(result.outcome()).isInstanceOf(Outcome.HostUnsupported.class);
            }
            assertThat(cordon.run(Job.argv("true")).outcome()).isEqualTo(new Outcome.Exited(0));
        }
        assertThat(kinds())
                .containsExactly("decision", "end", "decision", "end", "decision", "end", "decision", "start", "end");
    }

    @Test
    void aQuotaCountsWhatTheRuleLeavesOfAJob() throws IOException {
        String policy = """
            version = 1
            [[rule]]
            name = "small"
            limits = { memory = "64M" }
            [[quota]]
            owner = "*"
            memory = "100M"
            """;
        backend.endsWith = Optional.empty();
        try (Cordon cordon = open(policy);
                RunningJob _ = cordon.start(Job.argv("true").memory(ByteSize.mib(512)))) {
            assertThat(backend.started).hasSize(1);
            assertThat(cordon.run(Job.argv("true")).outcome()).isInstanceOf(Outcome.Denied.class);
        }
    }

    @Test
    void cpuTimeThatOnlyFollowsFitsIntoTheOwnersBudget() throws IOException {
        try (Cordon cordon = open("version = 1\n[[quota]]\nowner = \"*\"\ncpu_time = \"30m\"\n")) {
            Job job = Job.argv("true").timeout(Duration.ofHours(1));
            assertThat(cordon.run(job).outcome()).isEqualTo(new Outcome.Exited(0));
            assertThat(backend.started.getFirst().sandbox().limits().cpuTime()).isEqualTo(Duration.ofMinutes(30));
            assertThat(cordon.run(job.limit(Limit.CPU_TIME, "1h")).outcome()).isInstanceOf(Outcome.Denied.class);
        }
    }

    @Test
    void aSandboxThatIsRefusedIsRecorded() throws IOException {
        try (Cordon cordon = open("version = 1\n[[rule]]\nname = \"nobody\"\naction = \"deny\"\n")) {
            assertThatExceptionOfType(SandboxRefused.class)
                    .isThrownBy(() -> cordon.openSandbox(SandboxSpec.create().owner("alice")));
        }
        List<AuditRecord> records = new AuditReader(folder.resolve("audit")).last(Integer.MAX_VALUE, record -> true);
        assertThat(records.stream().map(record -> record.text("kind"))).containsExactly("decision", "end");
        assertThat(records).allSatisfy(record -> {
            assertThat(record.text("job")).startsWith("box_");
            assertThat(record.text("owner")).isEqualTo("alice");
        });
    }

    @Test
    void aPlanThatNobodyCarriesOutLeavesNoTrace() throws IOException {
        backend.endsWith = Optional.empty();
        try (Cordon cordon = open(ONE_JOB);
                RunningJob _ = cordon.start(Job.argv("true"))) {
            List<String> before = kinds();
            assertThat(cordon.dryRun(Job.argv("true"))).isInstanceOf(DryRun.Ready.class);
            assertThat(kinds()).isEqualTo(before);
        }
    }
}
