package dev.cordon.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.OutputListener;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Python, piece by piece, in a real sandbox. */
@Tag("jail")
@Tag("asUser")
final class PythonInterpreterJailTest {
    private static final RunLimits PATIENT = RunLimits.standard().timeout(Duration.ofMinutes(4));

    @OpenCordon
    private static Cordon cordon;

    private static Sandbox sandbox;
    private static Interpreter python;

    @BeforeAll
    static void open() {
        sandbox = cordon.openSandbox(SandboxSpec.create());
        python = sandbox.interpreter("python");
    }

    @AfterAll
    static void close() {
        python.close();
        sandbox.close();
    }

    private static Evaluation run(String code) {
        return python.run(code, PATIENT);
    }

    @Test
    void aVariableSetInOneCallIsReadInTheNext() {
        assertThat(run("x = 41").value()).isNull();
        Evaluation read = run("print('to stdout'); import sys; print('to stderr', file=sys.stderr)\nx + 1");
        assertThat(read.ending()).isEqualTo(new RunEnding.Finished());
        assertThat(read.value()).isEqualTo("42");
        assertThat(read.stdoutText()).isEqualTo("to stdout\n");
        assertThat(read.stderrText()).isEqualTo("to stderr\n");
        assertThat(read.stateLost()).isFalse();
    }

    @Test
    void aTracebackIsTheCodesOwn() {
        Evaluation failed = run("def half(n):\n    return n / 0\nhalf(1)");
        assertThat(failed.ending()).isInstanceOfSatisfying(RunEnding.Raised.class, raised -> {
            assertThat(raised.traceback().type()).isEqualTo("ZeroDivisionError");
            assertThat(raised.traceback().message()).isEqualTo("division by zero");
            assertThat(raised.traceback().frames())
                    .extracting(Traceback.Frame::function, Traceback.Frame::line, Traceback.Frame::source)
                    .containsExactly(tuple("<module>", 3L, "half(1)"), tuple("half", 2L, "return n / 0"));
            assertThat(raised.traceback().text()).doesNotContain("cordon");
        });
        Evaluation wrong = run("def (");
        assertThat(wrong.ending()).isInstanceOfSatisfying(RunEnding.Raised.class, raised -> {
            assertThat(raised.traceback().type()).isEqualTo("SyntaxError");
            assertThat(raised.traceback().frames()).isEmpty();
        });
    }

    /** Calls for an interrupt when the code says that it loops. */
    private static Evaluation interruptedWhenItSays(String code) {
        return python.run(code, PATIENT, (source, bytes) -> python.interrupt());
    }

    @Test
    void anEndlessLoopIsInterruptedAndTheSessionGoesOn() {
        run("kept = 'still here'");
        Evaluation looped = interruptedWhenItSays("print('looping', flush=True)\nwhile True: pass");
        assertThat(looped.ending()).isInstanceOfSatisfying(RunEnding.Interrupted.class, interrupted -> {
            assertThat(interrupted.stateKept()).isTrue();
            assertThat(interrupted.traceback()).isNotNull();
        });
        assertThat(run("kept").value()).isEqualTo("'still here'");
        Evaluation child = interruptedWhenItSays(
                "import subprocess\nprint('waiting', flush=True)\nsubprocess.run(['sleep', '1000'])");
        assertThat(child.ending()).isInstanceOf(RunEnding.Interrupted.class);
        assertThat(run("kept").value()).isEqualTo("'still here'");
    }

    @Test
    void codeThatIgnoresAnInterruptIsKilled() {
        try (Interpreter other = sandbox.interpreter("python")) {
            String stubborn = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass";
            Evaluation killed = other.run(stubborn, RunLimits.standard().timeout(Duration.ofMillis(500)));
            assertThat(killed.ending())
                    .isEqualTo(new RunEnding.TimedOut(Duration.ofMillis(500), null, false))
                    .extracting(RunEnding::message)
                    .asString()
                    .contains("timed out after 500ms", "lost");
            Evaluation next = other.run("6 * 7", PATIENT);
            assertThat(next.value()).isEqualTo("42");
            assertThat(next.stateLost()).isTrue();
            CompletableFuture<Void> restarted = new CompletableFuture<>();
            Evaluation ended = other.run("print('on', flush=True)\n" + stubborn, PATIENT, (source, bytes) -> {
                other.restart();
                restarted.complete(null);
            });
            assertThat(restarted).isCompleted();
            assertThat(ended.ending()).isEqualTo(new RunEnding.Interrupted(null, false));
            assertThat(other.run("1").stateLost()).isTrue();
        }
    }

    @Test
    void aTimeLimitInterruptsAndKeepsTheState() {
        run("before = 1");
        Evaluation slow =
                python.run("import time\ntime.sleep(1000)", RunLimits.standard().timeout(Duration.ofMillis(300)));
        assertThat(slow.ending()).isInstanceOfSatisfying(RunEnding.TimedOut.class, timedOut -> {
            assertThat(timedOut.stateKept()).isTrue();
            assertThat(timedOut.traceback()).isNotNull();
        });
        assertThat(run("before").value()).isEqualTo("1");
    }

    @Test
    void aCrashIsToldAndTheNextRunHasANewInterpreter() {
        try (Interpreter other = sandbox.interpreter("python")) {
            other.run("x = 1", PATIENT);
            Evaluation gone = other.run("import os\nprint('last words', flush=True)\nos._exit(3)", PATIENT);
            assertThat(gone.ending()).isEqualTo(new RunEnding.Crashed(new InterpreterExit.Exited(3)));
            assertThat(gone.ending().message()).contains("lost");
            assertThat(gone.stdoutText()).isEqualTo("last words\n");
            Evaluation next = other.run("'x' in globals()", PATIENT);
            assertThat(next.value()).isEqualTo("False");
            assertThat(next.stateLost()).isTrue();
            Evaluation killed = other.run("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", PATIENT);
            assertThat(killed.ending().message()).contains("segmentation fault");
            Evaluation keeper =
                    other.run("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nwhile True: pass", PATIENT);
            assertThat(keeper.ending()).isInstanceOf(RunEnding.Crashed.class);
            Evaluation last = other.run("7", PATIENT);
            assertThat(last.value()).isEqualTo("7");
            assertThat(last.stateLost()).isTrue();
        }
    }

    @Test
    void garbageOnItsChannelEndsTheInterpreterAndNothingElse() {
        try (Interpreter other = sandbox.interpreter("python")) {
            String garbage = """
                import os, fcntl
                for fd in map(int, os.listdir('/proc/self/fd')):
                    try:
                        if fd > 2 and fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY:
                            os.write(fd, bytes([255]) * 4096)
                    except OSError:
                        pass
                while True: pass
                """;
            Evaluation broken = other.run(garbage, PATIENT);
            assertThat(broken.ending().message()).startsWith("the interpreter broke its protocol");
            assertThat(other.run("5", PATIENT).value()).isEqualTo("5");
            Evaluation host = other.run(
                    garbage.replace("/proc/self/fd", "/proc/%d/fd' % os.getppid() + '")
                            .replace(
                                    "os.write(fd,",
                                    "os.write(os.open('/proc/%d/fd/%d' % (os.getppid(), fd), os.O_WRONLY),")
                            .replace(
                                    "fd > 2 and fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY",
                                    "fd > 2"),
                    PATIENT);
            assertThat(host.ending()).isInstanceOf(RunEnding.Crashed.class);
            assertThat(other.run("8", PATIENT).value()).isEqualTo("8");
        }
    }

    @Test
    void aForkOfTheCodeDoesNotAnswerForIt() {
        Evaluation forked =
                run("import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\nprint('done', pid == 0)\n'value'");
        assertThat(forked.value()).isEqualTo("'value'");
        assertThat(forked.stdoutText().lines()).containsExactlyInAnyOrder("done True", "done False");
        assertThat(run("pid > 0").value()).isEqualTo("True");
    }

    @Test
    void outputIsCutAtItsLimitAndCounted() {
        RunLimits little = PATIENT.output(ByteSize.bytes(10));
        Evaluation loud = python.run("print('x' * 1_000_000)", little, OutputListener.none());
        assertThat(loud.stdoutText()).isEqualTo("xxxxxxxxxx");
        assertThat(loud.stdout().total()).isEqualTo(1_000_001);
        assertThat(run("'quiet'").stdout().total()).isZero();
    }

    @Test
    void tablesAndOtherRichValuesComeInTheirForms() {
        Evaluation table = run("""
            class Table:
                def _repr_html_(self): return '<table></table>'
                def __repr__(self): return 'a table'
            display(Table(), 5)
            Table()
            """);
        assertThat(table.value()).isEqualTo("a table");
        assertThat(table.displays()).hasSize(3);
        assertThat(table.displays().getFirst().html()).contains("<table></table>");
        assertThat(table.displays().getFirst().text("text/plain")).contains("a table");
        assertThat(table.displays().get(1).text("text/plain")).contains("5");
        assertThat(table.displays().get(2).html()).contains("<table></table>");
    }

    @Test
    void topLevelAwaitWorks() {
        assertThat(run("import asyncio\nawait asyncio.sleep(0)\nawait asyncio.sleep(0, 'slept')")
                        .value())
                .isEqualTo("'slept'");
    }

    @Test
    void aFigureComesBackAsAPng() {
        Evaluation drawn = run("""
            import matplotlib.pyplot as plt
            plt.figure(figsize=(4, 3), dpi=100)
            plt.plot([1, 4, 9])
            plt.show()
            plt.figure()
            plt.bar([1, 2], [3, 4])
            'left open'
            """);
        assertThat(drawn.ending()).isEqualTo(new RunEnding.Finished());
        assertThat(drawn.displays()).hasSize(2);
        for (Display display : drawn.displays()) {
            ByteBuffer png = ByteBuffer.wrap(display.png().orElseThrow());
            assertThat(png.getLong()).as("the signature of a PNG").isEqualTo(0x89504e470d0a1a0aL);
            png.getLong();
            assertThat(png.getInt()).as("its width").isBetween(200, 1000);
            assertThat(png.getInt()).as("its height").isBetween(150, 1000);
        }
        assertThat(run("plt.get_fignums()").value())
                .as("shown figures are closed")
                .isEqualTo("[]");
    }
}
