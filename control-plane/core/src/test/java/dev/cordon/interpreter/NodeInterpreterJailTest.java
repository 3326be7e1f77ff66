package dev.cordon.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Node.js, piece by piece, in a real sandbox. */
@Tag("jail")
@Tag("asUser")
final class NodeInterpreterJailTest {
    private static final RunLimits PATIENT = RunLimits.standard().timeout(Duration.ofMinutes(4));

    @OpenCordon
    private static Cordon cordon;

    private static Sandbox sandbox;
    private static Interpreter node;

    @BeforeAll
    static void open() {
        sandbox = cordon.openSandbox(SandboxSpec.create().memory(ByteSize.gib(1)));
        node = sandbox.interpreter("node");
    }

    @AfterAll
    static void close() {
        node.close();
        sandbox.close();
    }

    private static Evaluation run(String code) {
        return node.run(code, PATIENT);
    }

    @Test
    void declarationsStayAndTheLastExpressionIsTheValue() {
        run("let x = 41; const y = await Promise.resolve(1)");
        Evaluation read = run("console.log('to stdout'); console.error('to stderr'); x + y");
        assertThat(read.ending()).isEqualTo(new RunEnding.Finished());
        assertThat(read.value()).isEqualTo("42");
        assertThat(read.stdoutText()).isEqualTo("to stdout\n");
        assertThat(read.stderrText()).isEqualTo("to stderr\n");
        assertThat(run("[x, {a: await Promise.resolve(2)}]").value()).isEqualTo("[ 41, { a: 2 } ]");
    }

    @Test
    void anErrorShowsTheCodesOwnLines() {
        Evaluation failed = run("function inner(o) {\n  return o.a.b;\n}\ninner({})");
        assertThat(failed.ending()).isInstanceOfSatisfying(RunEnding.Raised.class, raised -> {
            assertThat(raised.traceback().type()).isEqualTo("TypeError");
            assertThat(raised.traceback().frames())
                    .extracting(Traceback.Frame::line)
                    .containsExactly(4L, 2L);
            assertThat(raised.traceback().frames().getLast().function()).isEqualTo("inner");
            assertThat(raised.traceback().text()).doesNotContain("node:", "cordon");
        });
    }

    @Test
    void endlessCodeIsInterruptedAndTheSessionGoesOn() {
        run("var kept = 'still here'");
        for (String endless : new String[] {"while (true);", "await new Promise(() => {})"}) {
            Evaluation stopped = node.run("console.log('on');" + endless, PATIENT, (source, bytes) -> node.interrupt());
            assertThat(stopped.ending()).as(endless).isInstanceOf(RunEnding.Interrupted.class);
            assertThat(stopped.ending().stateKept()).isTrue();
            assertThat(run("kept").value()).isEqualTo("'still here'");
        }
    }

    @Test
    void anInterruptHitsItsOwnRunOrNone() {
        for (int i = 0; i < 100; i++) {
            Evaluation ending = node.run("console.log('on')", PATIENT, (source, bytes) -> node.interrupt());
            assertThat(ending.ending()).isInstanceOfAny(RunEnding.Finished.class, RunEnding.Interrupted.class);
            assertThat(run("6 * 7").value()).isEqualTo("42");
            Evaluation waiting = node.run(
                    "console.log('on'); await new Promise(() => {})", PATIENT, (source, bytes) -> node.interrupt());
            assertThat(waiting.ending()).isInstanceOf(RunEnding.Interrupted.class);
            assertThat(waiting.ending().stateKept()).isTrue();
        }
    }

    @Test
    void anInterruptReachesWhatTheCodeStarted() {
        Evaluation blocked = node.run(
                "require('child_process').execSync('echo on >&2; exec sleep 1000', {stdio: 'inherit'})",
                PATIENT,
                (source, bytes) -> node.interrupt());
        assertThat(blocked.ending()).isInstanceOf(RunEnding.Interrupted.class);
        assertThat(blocked.ending().stateKept()).isTrue();
    }

    @Test
    void aCrashIsToldAndTheNextRunHasANewInterpreter() {
        try (Interpreter other = sandbox.interpreter("node")) {
            Evaluation gone = other.run("console.log('last words'); process.exit(3)", PATIENT);
            assertThat(gone.ending()).isEqualTo(new RunEnding.Crashed(new InterpreterExit.Exited(3)));
            assertThat(gone.stdoutText()).isEqualTo("last words\n");
            Evaluation broken =
                    other.run("require('fs').writeSync(4, Buffer.alloc(5000, 255)); while (true);", PATIENT);
            assertThat(broken.stateLost()).isTrue();
            assertThat(broken.ending().message()).startsWith("the interpreter broke its protocol");
            assertThat(other.run("7", PATIENT).value()).isEqualTo("7");
        }
    }

    @Test
    void languagesWithoutAnInterpreterAreRefusedWithTheirRemedy() {
        assertThatThrownBy(() -> sandbox.interpreter("bash"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use python or node");
        assertThatThrownBy(() -> sandbox.interpreter("cobol")).hasMessageContaining("one of: python, node");
    }
}
