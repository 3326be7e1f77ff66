package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.verify.AuditReader;
import dev.cordon.config.AuditSettings;
import dev.cordon.config.Config;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.Stdin;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotas and rates end to end: 64 submitters at one time, jobs in real jails. */
@Tag("jail")
class QuotaJailTest {
    private static final int SUBMITTERS = 64;

    @TempDir
    private Path folder;

    private Cordon cordon;

    @BeforeEach
    void open() throws IOException {
        Config config = PolicedCordon.here(folder, """
            version = 1
            [[quota]]
            owner = "running-*"
            running = 8
            [[quota]]
            owner = "often"
            rate = "10/1h"
            [[quota]]
            owner = "queued"
            running = 4
            queued = 60
            patience = "4m"
            [[quota]]
            owner = "boxes"
            running = 3
            """);
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Files.writeString(tools.resolve("nothing.toml"), """
            name = "nothing"
            description = "Does nothing."
            argv = ["true"]
            rate = "5/1h"
            """);
        cordon = Cordon.open(config.withTools(tools));
    }

    @AfterEach
    void close() {
        cordon.close();
    }

    private static <T> List<T> atOnce(Callable<T> one) throws Exception {
        CyclicBarrier together = new CyclicBarrier(SUBMITTERS);
        try (ExecutorService threads = Executors.newFixedThreadPool(SUBMITTERS)) {
            List<Future<T>> asked = IntStream.range(0, SUBMITTERS)
                    .mapToObj(i -> threads.submit(() -> {
                        together.await();
                        return one.call();
                    }))
                    .toList();
            List<T> answers = new ArrayList<>();
            for (Future<T> each : asked) {
                answers.add(each.get());
            }
            return answers;
        }
    }

    private static List<Outcome.Denied> denials(List<Result> results) {
        return results.stream()
                .map(Result::outcome)
                .filter(Outcome.Denied.class::isInstance)
                .map(Outcome.Denied.class::cast)
                .toList();
    }

    private static void eachSaysWhyAndWhen(List<Outcome.Denied> denials, String why, Duration most) {
        assertThat(denials).allSatisfy(denial -> {
            assertThat(denial.reasons()).singleElement().asString().contains(why);
            assertThat(denial.retryAfter()).isPositive().isLessThanOrEqualTo(most);
            assertThat(denial.httpStatus()).isEqualTo(429);
        });
    }

    @Test
    void exactlyAsManyRunAtOneTimeAsTheQuotaHas() throws Exception {
        Job held = Job.argv("cat").stdin(Stdin.fed()).owner("running-a").timeout(Duration.ofMinutes(4));
        List<RunningJob> jobs = atOnce(() -> cordon.start(held));
        List<Result> refused = new ArrayList<>();
        List<RunningJob> running = new ArrayList<>();
        for (RunningJob job : jobs) {
            // A refusal is known at once, or as soon as it is recorded; what runs waits for its input.
            if (job.result().isDone()) {
                refused.add(job.await());
            } else {
                running.add(job);
            }
        }
        assertThat(running).hasSize(8);
        assertThat(refused).hasSize(SUBMITTERS - 8);
        eachSaysWhyAndWhen(denials(refused), "8 of 8 jobs at one time are running", Duration.ofMinutes(4));
        assertThat(denials(refused)).hasSize(SUBMITTERS - 8);
        assertThat(cordon.run(Job.argv("true").owner("running-b")).succeeded())
                .as("another owner")
                .isTrue();
        for (RunningJob job : running) {
            job.stdin().close();
            assertThat(job.await().succeeded()).isTrue();
        }
        assertThat(cordon.run(Job.argv("true").owner("running-a")).succeeded()).isTrue();
    }

    @Test
    void exactlyAsManyAreTakenInATimeAsTheRateHas() throws Exception {
        List<Result> results = atOnce(() -> cordon.run(Job.argv("true").owner("often")));
        assertThat(results.stream().filter(Result::succeeded)).hasSize(10);
        assertThat(denials(results)).hasSize(SUBMITTERS - 10);
        eachSaysWhyAndWhen(denials(results), "rate: 10 jobs in 1h", Duration.ofMinutes(6));
    }

    @Test
    void theQueueLetsAllThroughFourAtATime() throws Exception {
        List<Result> results = atOnce(() -> cordon.run(Job.argv("true").owner("queued")));
        assertThat(results).allMatch(Result::succeeded);
    }

    @Test
    void toolsHaveTheirOwnRate() throws Exception {
        List<Result> results = atOnce(() -> cordon.tools().run(new ToolCall("nothing", "{}")));
        assertThat(results.stream().filter(Result::succeeded)).hasSize(5);
        assertThat(denials(results)).hasSize(SUBMITTERS - 5);
        eachSaysWhyAndWhen(denials(results), "rate of tool nothing for local: 5 calls in 1h", Duration.ofMinutes(12));
    }

    @Test
    void commandsInASandboxCountToo() throws Exception {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().owner("boxes"))) {
            List<RunningJob> jobs = atOnce(() -> sandbox.start(Job.argv("cat").stdin(Stdin.fed())));
            List<RunningJob> running =
                    jobs.stream().filter(job -> !job.result().isDone()).toList();
            assertThat(running).as("the first has the sandbox's own place").hasSize(3);
            for (RunningJob job : running) {
                job.stdin().close();
                assertThat(job.await().succeeded()).isTrue();
            }
            assertThat(sandbox.run(Job.argv("true")).succeeded()).isTrue();
        }
    }

    @Test
    void aSandboxIsRecordedFromItsDecisionToItsEnd() throws Exception {
        Path directory = folder.resolve("audit");
        Config here = Config.load();
        Config config = new Config(
                        here.defaults(),
                        here.ceilings(),
                        here.ids(),
                        here.stateDirectory(),
                        here.runDirectory(),
                        here.settings())
                .withAudit(new AuditSettings(true, directory, AuditSettings.ROTATE, false))
                .withVm(here.vm())
                .withTools(here.tools())
                .withProcessJobs(here.processJobs());
        String closed;
        String forgotten;
        try (Cordon recorded = Cordon.open(config)) {
            try (Sandbox sandbox = recorded.openSandbox(SandboxSpec.create())) {
                closed = sandbox.id().value();
            }
            forgotten = recorded.openSandbox(SandboxSpec.create()).id().value();
        }
        for (String id : List.of(closed, forgotten)) {
            assertThat(new AuditReader(directory)
                                    .last(
                                            Integer.MAX_VALUE,
                                            record -> record.text("job").equals(id))
                                    .stream()
                                    .map(record -> record.text("kind") + " " + record.text("outcome")))
                    .containsExactly("decision ", "start ", "end ok");
        }
    }
}
