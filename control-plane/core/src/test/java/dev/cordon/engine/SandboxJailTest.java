package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.SandboxRefused;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.Stdin;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.result.SandboxInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sandboxes that stay: many commands in one, each of which ends as it must and leaves the others alone. */
@Tag("jail")
@Tag("asUser")
final class SandboxJailTest {
    private static final Outcome FINE = new Outcome.Exited(0);

    @OpenCordon
    private static Cordon cordon;

    private static Sandbox sandbox() {
        return cordon.openSandbox(SandboxSpec.create());
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "JAIL"})
    void stateStaysBetweenCommands(Isolation isolation) {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().isolation(isolation))) {
            assertThat(sandbox.run(Job.shell("echo 6 > number")).outcome()).isEqualTo(FINE);
            Result result = sandbox.run(Job.python("print(int(open('number').read()) * 7)"));
            assertThat(result.stdoutText()).isEqualTo("42\n");
            assertThat(result.applied().isolation()).isEqualTo(isolation);
            assertThat(sandbox.run(Job.shell("ls -A")).stdoutText()).doesNotContain("main.py");
        }
    }

    @Test
    void commandsRunSideBySideAndApart() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            List<RunningJob> jobs = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                jobs.add(sandbox.start(
                        Job.python("import sys; print(sys.stdin.read() * 2, file=sys.stderr); exit(" + i + ")")
                                .stdin("in" + i)));
            }
            for (int i = 0; i < jobs.size(); i++) {
                Result result = jobs.get(i).await();
                assertThat(result.outcome()).isEqualTo(new Outcome.Exited(i));
                assertThat(result.stderrText()).isEqualTo("in" + i + "in" + i + "\n");
                assertThat(result.stdoutText()).isEmpty();
            }
        }
    }

    @Test
    void aTimeoutEndsItsCommandAloneWithAllThatItStarted() throws Exception {
        try (Sandbox sandbox = sandbox();
                RunningJob other = sandbox.start(
                        Job.argv("sh", "-c", "read line; echo $line").stdin(Stdin.fed()))) {
            Result result =
                    sandbox.run(Job.argv("bash", "-c", "set -m; sleep 4711 & (sleep 4711; true) | cat; sleep 4711")
                            .timeout(Duration.ofMillis(300)));
            assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(Outcome.Clock.WALL));
            await().atMost(Duration.ofSeconds(5)).until(() -> count(sandbox, "4711") == 0);
            other.stdin().write("still here\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            assertThat(other.await().stdoutText()).isEqualTo("still here\n");
        }
    }

    private static long count(Sandbox sandbox, String argument) {
        String script = "import glob\n"
                + "print(sum(open(p, 'rb').read().split(b'\\0')[1:2] == [b'" + argument
                + "'] for p in glob.glob('/proc/[0-9]*/cmdline')))";
        Result result = sandbox.run(Job.python(script));
        assertThat(result.outcome()).describedAs(result.stderrText()).isEqualTo(FINE);
        return Long.parseLong(result.stdoutText().trim());
    }

    @Test
    void cancelEndsOneCommand() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            RunningJob job = sandbox.start(Job.argv("sleep", "60"));
            job.cancel();
            assertThat(job.await().outcome()).isEqualTo(new Outcome.Cancelled());
            assertThat(sandbox.run(Job.argv("true")).outcome()).isEqualTo(FINE);
        }
    }

    @Test
    void outputBeyondTheLimitEndsOneCommand() {
        try (Sandbox sandbox = sandbox()) {
            Job flood = Job.argv("yes").output(ByteSize.kib(16));
            Result killed = sandbox.run(flood.onOutputLimit(OnOutputLimit.KILL));
            assertThat(killed.outcome()).isEqualTo(new Outcome.OutputLimit(new Outcome.Signaled(9)));
            assertThat(killed.stdout().bytes()).hasSize(16 * 1024);
            assertThat(sandbox.run(flood.timeout(Duration.ofMillis(200))).outcome())
                    .isEqualTo(new Outcome.TimedOut(Outcome.Clock.WALL));
            assertThat(sandbox.run(Job.argv("true")).outcome()).isEqualTo(FINE);
        }
    }

    @Test
    void whatIsNotThereIsNotFound() {
        try (Sandbox sandbox = sandbox()) {
            assertThat(sandbox.run(Job.argv("nosuchprogram")).outcome())
                    .isEqualTo(new Outcome.NotFound("nosuchprogram"));
            assertThat(sandbox.run(Job.argv("/etc/passwd")).outcome())
                    .isEqualTo(new Outcome.NotExecutable("/etc/passwd", "EACCES"));
            assertThat(sandbox.run(Job.argv("true").workdir("/workspace/nowhere"))
                            .outcome())
                    .isInstanceOf(Outcome.Invalid.class);
        }
    }

    @Test
    void cpuTimeIsHeldForEachProcess() {
        try (Sandbox sandbox = sandbox()) {
            Result result =
                    sandbox.run(Job.argv("sh", "-c", "while :; do :; done").cpuTime(Duration.ofSeconds(1)));
            assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(Outcome.Clock.CPU));
            assertThat(result.applied().limitsNotEnforced()).contains(dev.cordon.job.limit.Limit.CPU_TIME);
            assertThat(sandbox.run(Job.argv("true")).outcome()).isEqualTo(FINE);
        }
    }

    @Test
    void aBackgroundProcessStaysAndHoldsUpNobody() {
        try (Sandbox sandbox = sandbox()) {
            Result result = sandbox.run(Job.shell("(while sleep 0.05; do date; done) & echo started"));
            assertThat(result.outcome()).isEqualTo(FINE);
            assertThat(result.stdoutText()).startsWith("started\n");
            assertThat(sandbox.run(Job.shell("sleep 0.4; pgrep -c sleep || ls /proc | grep -c '^[0-9]'"))
                            .outcome())
                    .isEqualTo(FINE);
        }
    }

    @Test
    void memoryThatRunsOutIsToldToThoseItHits() throws Exception {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().memory(ByteSize.mib(64)));
                RunningJob other = sandbox.start(Job.argv("sleep", "60"))) {
            Result result = sandbox.run(Job.python("x = b'x' * (200 << 20)"));
            if (!Sandboxes.holds(WholeJobLimit.MEMORY)) {
                // Only each process is held, and the result says so.
                assertThat(result.stderrText()).contains("MemoryError");
                assertThat(result.applied().limitsNotEnforced()).contains(Limit.MEMORY);
                assertThat(sandbox.run(Job.argv("true")).outcome()).isEqualTo(FINE);
                return;
            }
            assertThat(result.outcome()).isEqualTo(new Outcome.OutOfMemory(new Outcome.Signaled(9)));
            Result next = sandbox.run(Job.argv("true"));
            if (next.outcome().equals(FINE)) {
                other.cancel();
                assertThat(other.await().outcome()).isEqualTo(new Outcome.Cancelled());
            } else {
                // oom.group: the kernel killed all of it, and everybody is told.
                assertThat(other.await().outcome()).isEqualTo(new Outcome.OutOfMemory(new Outcome.Signaled(9)));
                assertThat(next.outcome()).isInstanceOf(Outcome.SetupFailed.class);
                assertThat(sandbox.info().end()).contains("ran out of memory");
            }
        }
    }

    @Test
    void violationsBelongToTheirCommand() throws Exception {
        String trip = "import ctypes\nctypes.CDLL(None).unshare(0x10000000)";
        try (Sandbox sandbox = sandbox();
                RunningJob other = sandbox.start(Job.argv("sleep", "60"))) {
            Result refused = sandbox.run(Job.python(trip));
            assertThat(refused.outcome()).isEqualTo(FINE);
            assertThat(refused.violations())
                    .extracting(violation -> violation.syscall())
                    .contains("unshare");
            Result killed = sandbox.run(Job.python(trip).onViolation(OnViolation.KILL));
            assertThat(killed.outcome()).isEqualTo(new Outcome.Violated("unshare"));
            assertThat(sandbox.info().violations()).isNotEmpty();
            other.cancel();
            Result untouched = other.await();
            assertThat(untouched.outcome()).isEqualTo(new Outcome.Cancelled());
            assertThat(untouched.violations()).isEmpty();
        }
    }

    @Test
    void fieldsOfTheSandboxAreNotTheCommands() {
        try (Sandbox sandbox = sandbox()) {
            Outcome outcome = sandbox.run(Job.argv("true")
                            .memory(ByteSize.gib(1))
                            .isolation(Isolation.JAIL)
                            .readOnly(Path.of("/usr"), "/opt/usr")
                            .profile("strict"))
                    .outcome();
            assertThat(outcome).isInstanceOf(Outcome.Invalid.class);
            assertThat(((Outcome.Invalid) outcome).errors())
                    .extracting(error -> error.pointer())
                    .containsExactlyInAnyOrder("/limits/memory", "/isolation", "/mounts", "/profile");
        }
    }

    @Test
    void aTerminalEchoesAndResizes() throws Exception {
        try (Sandbox sandbox = sandbox();
                RunningJob job = sandbox.start(Job.argv("bash", "--norc", "-i")
                        .env("PS1", "> ")
                        .terminal(24, 80)
                        .stdin(Stdin.fed())
                        .streaming())) {
            write(job, "stty size; tty\n");
            readUntil(job, "24 80");
            job.resize(50, 132);
            // A resize goes another way than what is typed, and may come after it.
            write(job, "until [ \"$(stty size)\" = '50 132' ]; do :; done; stty size\n");
            readUntil(job, "\n50 132");
            write(job, "exit 3\n");
            assertThat(job.await().outcome()).isEqualTo(new Outcome.Exited(3));
        }
    }

    private static void write(RunningJob job, String text) throws java.io.IOException {
        job.stdin().write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static String readUntil(RunningJob job, String wanted) throws java.io.IOException {
        StringBuilder seen = new StringBuilder();
        byte[] room = new byte[4096];
        while (seen.indexOf(wanted) < 0) {
            int count = job.stdout().read(room);
            assertThat(count).describedAs("the end after: " + seen).isPositive();
            seen.append(new String(room, 0, count, java.nio.charset.StandardCharsets.UTF_8));
        }
        return seen.toString();
    }

    @Test
    void aTerminalsInputEnds() {
        try (Sandbox sandbox = sandbox()) {
            Result result = sandbox.run(Job.argv("cat").terminal(24, 80).stdin("typed\n"));
            assertThat(result.outcome()).isEqualTo(FINE);
            assertThat(result.stdoutText()).isEqualTo("typed\r\ntyped\r\n");
        }
        assertThat(cordon.run(Job.argv("tty").terminal(24, 80)).stdoutText()).startsWith("/dev/pts/");
    }

    @Test
    void aPausedSandboxStandsStillAndItsClocksToo() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            RunningJob job = sandbox.start(Job.shell("for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.05; done; echo over")
                    .timeout(Duration.ofSeconds(5)));
            try {
                sandbox.pause();
            } catch (SandboxRefused e) {
                assertThat(e).hasMessageContaining("freezer");
                return;
            }
            assertThat(sandbox.info().state()).isEqualTo(SandboxInfo.State.PAUSED);
            RunningJob late = sandbox.start(Job.argv("true").timeout(Duration.ofMillis(300)));
            assertThat(late.result().orTimeout(1, TimeUnit.SECONDS)).failsWithin(Duration.ofSeconds(3));
            assertThat(job.result().isDone()).isFalse();
            sandbox.resume();
            assertThat(job.await().stdoutText()).isEqualTo("over\n");
            assertThat(late.await().outcome()).isEqualTo(FINE);
        }
    }

    @Test
    void aPausedSandboxCanBeClosed() throws Exception {
        Sandbox sandbox = sandbox();
        RunningJob job = sandbox.start(Job.argv("sleep", "60"));
        try {
            sandbox.pause();
        } catch (SandboxRefused e) {
            assertThat(e).hasMessageContaining("freezer");
        }
        sandbox.close();
        assertThat(job.await().outcome()).isEqualTo(new Outcome.Cancelled());
    }

    @Test
    void aTimeToLiveEndsEverythingAndNothingElseDoes() throws Exception {
        Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().ttl(Duration.ofMillis(300)));
        RunningJob job = sandbox.start(Job.argv("sleep", "60"));
        assertThat(job.await().outcome()).isEqualTo(new Outcome.TimedOut(Outcome.Clock.WALL));
        assertThat(sandbox.ended().get(10, TimeUnit.SECONDS)).contains("time to live");
        Outcome late = sandbox.run(Job.argv("true")).outcome();
        assertThat(late).isInstanceOf(Outcome.SetupFailed.class);
        assertThat(late.toString()).contains("time to live");
        sandbox.close();
    }

    @Test
    void idleSandboxesEndWhereThatWasAskedFor() throws Exception {
        Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().idleTimeout(Duration.ofMillis(400)));
        assertThat(sandbox.run(Job.argv("sleep", "0.8")).outcome()).isEqualTo(FINE);
        assertThat(sandbox.ended().get(10, TimeUnit.SECONDS)).contains("idle");
        sandbox.close();
    }

    @Test
    void closingEndsEverything() throws Exception {
        Sandbox sandbox = sandbox();
        RunningJob job = sandbox.start(Job.argv("sleep", "4712"));
        sandbox.close();
        assertThat(job.await().outcome()).isEqualTo(new Outcome.Cancelled());
        assertThat(Sandboxes.processesWith("sleep\0004712")).isEmpty();
        assertThat(sandbox.info().state()).isEqualTo(SandboxInfo.State.ENDED);
        assertThat(sandbox.run(Job.argv("true")).outcome()).isInstanceOf(Outcome.SetupFailed.class);
    }

    @Test
    void aKilledSupervisorIsToldToAll() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            RunningJob one = sandbox.start(Job.argv("sleep", "4713"));
            RunningJob two = sandbox.start(Job.argv("sleep", "4713"));
            await().until(() -> Sandboxes.processesWith("sleep\0004713").size() == 2);
            ProcessHandle.current()
                    .children()
                    .filter(child -> Sandboxes.supervisesProcessWith(child.pid(), "sleep\0004713"))
                    .forEach(ProcessHandle::destroyForcibly);
            assertThat(one.await().outcome()).isInstanceOf(Outcome.SetupFailed.class);
            assertThat(two.await().outcome()).isInstanceOf(Outcome.SetupFailed.class);
            assertThat(sandbox.ended().get(10, TimeUnit.SECONDS)).contains("failed");
        }
    }

    @Test
    void thereIsAMostOfCommands() throws Exception {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().pids(1024))) {
            List<RunningJob> jobs = new ArrayList<>();
            for (int i = 0; i < OpenSandbox.MOST_COMMANDS; i++) {
                jobs.add(sandbox.start(Job.argv("sleep", "60")));
            }
            Outcome outcome = sandbox.run(Job.argv("true")).outcome();
            assertThat(outcome).isInstanceOf(Outcome.HostUnsupported.class);
            assertThat(outcome.toString()).contains("256");
            jobs.getFirst().cancel();
            jobs.getFirst().await();
            assertThat(sandbox.run(Job.argv("true")).outcome()).isEqualTo(FINE);
        }
    }

    @Test
    void whatCannotBeOpenedIsRefusedWithItsReason() {
        assertThatThrownBy(() -> cordon.openSandbox(
                        SandboxSpec.create().ttl(Duration.ZERO).readOnly(Path.of("/nosuch"), "/opt/x")))
                .isInstanceOf(SandboxRefused.class)
                .hasMessageContaining("/ttl");
        assertThatThrownBy(() -> cordon.openSandbox(SandboxSpec.create().readOnly(Path.of("/nosuch"), "/opt/x")))
                .isInstanceOfSatisfying(
                        SandboxRefused.class, e -> assertThat(e.outcome()).isInstanceOf(Outcome.Invalid.class));
    }
}
