package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.config.Config;
import dev.cordon.config.IdRange;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.Stdin;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.PlanOutcome;
import dev.cordon.plan.host.HostSurvey;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.tool.Tool;
import dev.cordon.tool.ToolSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CordonTest {
    private static final Config CONFIG = new Config(
            Map.of(Limit.PIDS, 7L),
            Map.of(Limit.MEMORY, 1L << 30),
            new IdRange(5000, 10),
            Path.of("/nonexistent/state"),
            Path.of("/nonexistent/run"),
            new TreeMap<>());

    private final FakeBackend backend = new FakeBackend();
    private int opened;
    private Cordon cordon;

    @BeforeEach
    void open() throws IOException {
        cordon = new Cordon(CONFIG, new HostSurvey(CONFIG.ids(), CONFIG.runDirectory()), config -> {
            opened++;
            return backend;
        });
    }

    @Test
    void aJobIsParsedJudgedPlannedStartedAndReported() {
        List<String> heard = new ArrayList<>();
        Result result = cordon.run(
                Job.argv("true").timeout(Duration.ofSeconds(5)), (source, bytes) -> heard.add(source.name()));
        assertThat(result.succeeded()).isTrue();
        assertThat(heard).containsExactly("STDOUT");
        assertThat(backend.started).singleElement().satisfies(plan -> {
            assertThat(plan.isolation()).isEqualTo(Isolation.JAIL);
            assertThat(plan.id()).isEqualTo(result.id());
            assertThat(plan.sandbox().limits().timeout()).isEqualTo(Duration.ofSeconds(5));
            assertThat(plan.sandbox().limits().pids())
                    .as("the operator's default")
                    .isEqualTo(7);
        });
    }

    @Test
    void anInvalidJobIsAResultAndNothingIsOpened() {
        Result result = cordon.run(Job.argv().pids(0));
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.Invalid.class,
                        invalid -> assertThat(invalid.errors()).hasSize(2));
        assertThat(result.times().started()).isNull();
        assertThat(opened).isZero();
    }

    @Test
    void aJobThatNeedsCompanyIsNotForRun() {
        Result fed = cordon.run(Job.argv("cat").stdin(Stdin.fed()));
        Result streaming = cordon.run(Job.argv("cat").streaming());
        for (Result result : List.of(fed, streaming)) {
            assertThat(result.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.Invalid.class,
                            invalid -> assertThat(invalid.errors())
                                    .singleElement()
                                    .satisfies(
                                            error -> assertThat(error.remedy()).contains("start()")));
        }
        assertThat(opened).isZero();
    }

    @Test
    void aToolCanBeRegisteredInCode() {
        Tool tool = Tool.of(new ToolSpec(
                "hello",
                "says hello",
                List.of("echo", "hello"),
                null,
                Map.of(),
                "{\"type\":\"object\"}",
                Map.of(),
                null,
                null));
        cordon.tools().register(tool);
        assertThat(cordon.tools().find("hello")).contains(tool);
        assertThat(tool).hasToString("Tool[hello: echo hello]");
    }

    @Test
    void anAbsentSourceIsTheCallersMistakeToo() {
        Result result = cordon.run(Job.argv("true").readOnly(Path.of("/nonexistent/data"), "/in"));
        assertThat(result.outcome().exitCode()).isEqualTo(121);
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.Invalid.class,
                        invalid -> assertThat(invalid.errors())
                                .singleElement()
                                .satisfies(error -> assertThat(error.pointer()).isEqualTo("/mounts/0/source")));
    }

    @Test
    void aDenialIsAnAnswer() {
        Result result = cordon.run(Job.argv("true").memory(ByteSize.gib(2)));
        assertThat(result.outcome()).isInstanceOf(Outcome.Denied.class);
        assertThat(result.applied().reasons()).singleElement().asString().contains("memory", "2 GiB", "1 GiB");
        assertThat(opened).isZero();
    }

    @Test
    void whatTheHostLacksIsAFailureOfTheSandbox() {
        Result result = cordon.run(Job.argv("true").isolation(Isolation.VM));
        assertThat(result.outcome()).isInstanceOf(Outcome.HostUnsupported.class);
        backend.failure = Optional.of(new Outcome.SetupFailed("clone", "EPERM", "", "look"));
        Result failed = cordon.run(Job.argv("true"));
        assertThat(failed.outcome()).isEqualTo(backend.failure.get());
        assertThat(failed.applied().isolation()).isNull();
    }

    @Test
    void theEngineIsOpenedOnceAndOnlyForAJobThatStarts() {
        assertThat(cordon.plan(Job.argv("true"))).isInstanceOf(PlanOutcome.Ready.class);
        assertThat(cordon.plan(Job.argv())).isInstanceOf(PlanOutcome.Refused.class);
        assertThat(opened).isZero();
        cordon.run(Job.argv("true"));
        cordon.run(Job.argv("true"));
        assertThat(opened).isEqualTo(1);
    }

    @Test
    void anInterruptCancelsTheJobAndStaysSet() {
        backend.endsWith = Optional.empty();
        Thread.currentThread().interrupt();
        Result result = cordon.run(Job.argv("sleep", "60"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.outcome()).isEqualTo(new Outcome.Cancelled());
    }

    @Test
    void aRunningJobCanBeSignalledAndCancelledButNotCompletedFromOutside() throws InterruptedException {
        backend.endsWith = Optional.empty();
        try (RunningJob job = cordon.start(Job.argv("sleep", "60"))) {
            job.signal(15);
            assertThatThrownBy(() -> job.signal(0)).hasMessageContaining("0");
            assertThat(job.result().cancel(true)).isTrue();
            assertThat(job.result()).isNotDone();
            job.cancel();
            assertThat(job.await().outcome()).isEqualTo(new Outcome.Cancelled());
        }
        assertThat(backend.signals).containsExactly(15);
    }

    @Test
    void closingClosesTheEngineAndNothingStartsAfterwards() {
        cordon.run(Job.argv("true"));
        cordon.close();
        cordon.close();
        assertThat(backend.closed).isTrue();
        assertThatThrownBy(() -> cordon.run(Job.argv("true"))).hasMessageContaining("closed");
    }
}
