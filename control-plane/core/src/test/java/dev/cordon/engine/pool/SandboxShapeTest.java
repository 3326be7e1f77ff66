package dev.cordon.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.EnginedCordon;
import dev.cordon.config.Config;
import dev.cordon.config.PoolSettings;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SandboxShapeTest {
    private static final Job PLAIN = Job.argv("/bin/true");

    static Plan plan(Job job) {
        try (Cordon cordon = Cordon.open(Config.load().withPool(PoolSettings.NONE))) {
            return EnginedCordon.plan(cordon, job);
        }
    }

    static Stream<Job> sameSandbox() {
        return Stream.of(
                Job.argv("/bin/echo", "something else"),
                Job.argv("/bin/true").env("NAME", "value"),
                Job.argv("/bin/true").stdin("text"),
                Job.argv("/bin/true").timeout(Duration.ofSeconds(3)).cpuTime(Duration.ofSeconds(2)),
                Job.argv("/bin/true")
                        .output(ByteSize.kib(3))
                        .fileSize(ByteSize.kib(3))
                        .openFiles(77),
                Job.argv("/bin/true").put("a/file", new byte[] {1}),
                Job.shell("echo code"),
                Job.argv("/bin/true").owner("somebody.else"));
    }

    @ParameterizedTest
    @MethodSource
    void sameSandbox(Job other) {
        assertThat(SandboxShape.of(plan(other).sandbox()))
                .isPresent()
                .isEqualTo(SandboxShape.of(plan(PLAIN).sandbox()));
    }

    static Stream<Job> anotherSandbox() {
        return Stream.of(
                Job.argv("/bin/true").memory(ByteSize.mib(64)),
                Job.argv("/bin/true").pids(5),
                Job.argv("/bin/true").cpus(0.5),
                Job.argv("/bin/true").disk(ByteSize.mib(1)),
                Job.argv("/bin/true").files(100),
                Job.argv("/bin/true").profile("strict"),
                Job.argv("/bin/true").macLabel("a-label"),
                Job.argv("/bin/true").workdir("/workspace/deep"));
    }

    @ParameterizedTest
    @MethodSource
    void anotherSandbox(Job other) {
        assertThat(SandboxShape.of(plan(other).sandbox()))
                .isPresent()
                .isNotEqualTo(SandboxShape.of(plan(PLAIN).sandbox()));
    }

    @Test
    void whatAJobNamesOnTheHostIsNotOpenedAhead(@TempDir Path directory) throws IOException {
        Path profile = Files.writeString(directory.resolve("profile.json"), "{\"defaultAction\":\"SCMP_ACT_ALLOW\"}");
        List<Job> jobs = List.of(
                Job.argv("/bin/true").readOnly(Path.of("/usr/share"), "/opt/in"),
                Job.argv("/bin/true").profile(profile),
                Job.argv("/bin/true").isolation(Isolation.PROCESS));
        assertThat(jobs)
                .allSatisfy(
                        job -> assertThat(SandboxShape.of(plan(job).sandbox())).isEmpty());
    }

    @Test
    void nothingOfTheFirstJobIsKept() {
        Plan secret = plan(Job.argv("/bin/echo", "hidden-argument")
                .env("TOKEN", "hidden-value")
                .stdin("hidden-input")
                .put("name", new byte[] {7}));
        SandboxPlan waiting = SandboxShape.of(secret.sandbox()).orElseThrow().plan(new JobId("box"));
        assertThat(waiting.id()).isEqualTo(new JobId("box"));
        assertThat(waiting.toString()).doesNotContain("hidden", "TOKEN");
    }
}
