package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What real programs ask of a system, and get in a jail. */
@Tag("jail")
@Tag("asUser")
final class ProgramsJailTest {
    /** Right, but watched by LeakSanitizer, which traces the program at its end. */
    private static final String SANITIZED = """
        cat >right.c <<'END'
        #include <stdlib.h>
        int main(void) { char *kept = malloc(10); kept[9] = 0; free(kept); return 0; }
        END
        gcc -fsanitize=address -g right.c -o right && exec ./right
        """;

    @OpenCordon
    private static Cordon cordon;

    /** libzmq takes this errno of getifaddrs() for a system without interfaces, and ends itself at EPERM. */
    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "JAIL"})
    void aListOfInterfacesIsNotSupported(Isolation isolation) {
        Job job = Job.python("""
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            print(libc.getifaddrs(ctypes.byref(ctypes.c_void_p())), ctypes.get_errno())
            """);
        assertThat(cordon.run(job.isolation(isolation)).stdoutText()).isEqualTo("-1 95\n");
    }

    @Test
    void nothingIsTracedAmongTheHostsProcesses() {
        Job job = Job.python("""
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            print(libc.ptrace(0, 0, 0, 0), ctypes.get_errno())
            """);
        assertThat(cordon.run(job.profile("debug")).stdoutText()).isEqualTo("0 0\n");
        assertThat(cordon.run(job.profile("debug").isolation(Isolation.PROCESS)).stdoutText())
                .isEqualTo("-1 1\n");
    }

    /** Its parent is the jail's init: a program that looks whether it is traced, as some do, stops and goes on. */
    @Test
    void aProgramThatAsksToBeTracedByItsParentRunsToItsEnd() {
        Result result = cordon.run(Job.python("""
            import ctypes, os, signal
            signal.signal(signal.SIGUSR1, lambda *_: print("heard", flush=True))
            ctypes.CDLL(None).ptrace(0, 0, 0, 0)
            os.kill(os.getpid(), signal.SIGUSR1)
            ctypes.CDLL(None).ptrace(0, 0, 0, 0)
            os.execvp("sh", ["sh", "-c", "echo over"])
            """).profile("debug"));
        assertThat(result.outcome()).as(result.stderrText()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdoutText()).isEqualTo("heard\nover\n");
    }

    @Test
    void sanitizersWorkUnderTheProfileDebugAlone() {
        Job job = Job.shell(SANITIZED)
                .memory(ByteSize.gib(1))
                .timeout(Duration.ofMinutes(2))
                .cpuTime(Duration.ofMinutes(2));
        Result debugged = cordon.run(job.profile("debug"));
        // Where nobody counts memory the limit of the address space stands for it, and leaves a sanitizer no room.
        boolean room = !debugged.applied().limitsNotEnforced().contains(Limit.MEMORY);
        assertThat(debugged.outcome().equals(new Outcome.Exited(0)))
                .as(debugged.stderrText())
                .isEqualTo(room);
        assertThat(debugged.stderrText().contains("ulimit -v")).isEqualTo(!room);
        assertThat(debugged.violations()).isEmpty();
        Result usual = cordon.run(job);
        assertThat(usual.outcome()).as("the control").isNotEqualTo(new Outcome.Exited(0));
        assertThat(usual.stderrText()).contains(room ? "LeakSanitizer" : "ulimit -v");
    }

    @Test
    void aFileSystemOfTheJailIsFlushed() {
        Result result = cordon.run(Job.shell("echo x >/tmp/x && sync -f /tmp/x /usr/bin"));
        assertThat(result.outcome()).as(result.stderrText()).isEqualTo(new Outcome.Exited(0));
    }

    @Test
    void temporaryFilesHaveBothPlaces() {
        assertThat(cordon.run(Job.shell("echo x >/var/tmp/x && cat /tmp/x")).stdoutText())
                .isEqualTo("x\n");
    }
}
