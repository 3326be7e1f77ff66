package dev.cordon.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A profile that was learnt in a jail lets the command run there, and does not let it do more. */
@Tag("jail")
@Tag("asUser")
final class LearnJailTest {
    private static final String IMPORTS = "import json, sqlite3";

    @OpenCordon
    private static Cordon cordon;

    @TempDir
    Path directory;

    private static LearntProfile learn(Job job) {
        return cordon.learn(job, OutputListener.none());
    }

    private Path file(LearntProfile learnt) throws Exception {
        return Files.writeString(directory.resolve("learnt.json"), learnt.profile());
    }

    @Test
    void theCommandRunsUnderItAndMayNotOpenASocket() throws Exception {
        LearntProfile learnt = learn(Job.argv("python3", "-c", IMPORTS));
        assertThat(learnt.result().outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(learnt.complete()).isTrue();
        assertThat(learnt.calls()).extracting(ObservedCall::name).contains("execve", "openat", "mmap", "exit_group");
        Path profile = file(learnt);

        Result same = cordon.run(Job.argv("python3", "-c", IMPORTS).profile(profile));
        assertThat(same.outcome()).describedAs(same.stderrText()).isEqualTo(new Outcome.Exited(0));

        Result more = cordon.run(
                Job.argv("python3", "-c", IMPORTS + ", socket; socket.socket()").profile(profile));
        assertThat(more.outcome()).isEqualTo(new Outcome.Exited(1));
        assertThat(more.stderrText()).contains("Function not implemented");
    }

    @Test
    void childrenAndThreadsAreWatchedToo() throws Exception {
        String code = "import subprocess, threading; t = threading.Thread(target=print, args=('thread',)); t.start();"
                + " t.join(); print(subprocess.run(['uname'], capture_output=True).stdout)";
        LearntProfile learnt = learn(Job.argv("python3", "-c", code));
        assertThat(learnt.result().stdoutText()).contains("thread", "Linux");
        assertThat(learnt.calls()).anySatisfy(call -> assertThat(call.process()).isEqualTo("uname"));
        Result same = cordon.run(Job.argv("python3", "-c", code).profile(file(learnt)));
        assertThat(same.outcome()).describedAs(same.stderrText()).isEqualTo(new Outcome.Exited(0));
    }

    @Test
    void theReportNamesWhatTheDefaultProfileRefuses() {
        String code = "import ctypes, socket, threading; t = threading.Thread(target=print); t.start(); t.join();"
                + " socket.socket(2, 2, 136); ctypes.CDLL(None).unshare(0)";
        LearntProfile learnt = learn(Job.argv("python3", "-c", code));
        assertThat(learnt.result().outcome())
                .describedAs(learnt.result().stderrText())
                .isEqualTo(new Outcome.Exited(0));
        assertThat(learnt.refusedByDefault())
                .contains(
                        new ObservedCall("socket", List.of(2L, 2L, 136L), "python3", DefaultAnswer.REFUSED, true),
                        new ObservedCall("unshare", List.of(), "python3", DefaultAnswer.TRIPWIRE, false))
                .allMatch(call -> call.learnt() == (call.byDefault() == DefaultAnswer.REFUSED));
        assertThat(learnt.refusedByDefault()).extracting(ObservedCall::text).contains("socket(2, 2, 136)");
    }

    @Test
    void theOtherLayersHold() {
        String script = "grep -E '^(CapEff|NoNewPrivs|Seccomp)' /proc/self/status | tr -s '\\t ' ' ';"
                + " echo x > /tmp/x; chmod 4755 /tmp/x; echo > /usr/x; ls /proc/1/fd; ulimit -n; hostname";
        Result result = learn(Job.argv("sh", "-c", script)).result();
        assertThat(result.stdoutText().lines())
                .containsExactly(
                        "CapEff: 0000000000000000",
                        "NoNewPrivs: 1",
                        "Seccomp: 2",
                        "Seccomp_filters: 2",
                        "1024",
                        "cordon");
        assertThat(result.stderrText()).contains("chmod:", "Operation not permitted", "/usr/x", "/proc/1/fd");
    }

    @Test
    void aCommandThatDoesNotEndTeachesNothing() {
        LearntProfile learnt = learn(Job.argv("sleep", "60").timeout(Duration.ofMillis(300)));
        assertThat(learnt.result().outcome()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(learnt.complete()).isFalse();
        assertThat(learnt.profile()).isEmpty();
    }

    @Test
    void aCommandThatIsNotThereTeachesNothing() {
        LearntProfile learnt = learn(Job.argv("nosuchprogram"));
        assertThat(learnt.result().outcome().exitCode()).isEqualTo(127);
        assertThat(learnt.profile()).isEmpty();
    }

    @Test
    void processesWithoutNamespacesCanBeWatched() throws Exception {
        Job job = Job.argv("sh", "-c", "echo hi").isolation(Isolation.PROCESS);
        LearntProfile learnt = learn(job);
        assertThat(learnt.result().stdoutText()).isEqualTo("hi\n");
        Result same = cordon.run(job.profile(file(learnt)));
        assertThat(same.outcome()).describedAs(same.stderrText()).isEqualTo(new Outcome.Exited(0));
    }
}
