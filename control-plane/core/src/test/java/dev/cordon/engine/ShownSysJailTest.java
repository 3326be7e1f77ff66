package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.result.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a job is shown at /sys. */
@Tag("jail")
@Tag("asUser")
final class ShownSysJailTest {
    @OpenCordon
    private static Cordon cordon;

    private static Result run(String script) {
        return cordon.run(Job.shell(script));
    }

    private static String output(String script) {
        Result result = run(script);
        assertThat(result.stderrText()).isEmpty();
        return result.stdoutText().strip();
    }

    @Test
    void noControlGroupIsAnotherJobsOrCanBeChanged() {
        assertThat(output("grep -E ' - cgroup2? ' /proc/self/mountinfo | cut -d' ' -f4 | sort -u"))
                .isIn("/", "");
        assertThat(output("find /sys/fs/cgroup -mindepth 2 -type d")).isEmpty();
        assertThat(output("find /sys -writable 2>/dev/null; true")).isEmpty();
        Result tried = run("mkdir /sys/fs/cgroup/mine /sys/fs/cgroup/memory/mine; for f in"
                + " /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do echo -1 >$f; done");
        assertThat(tried.stderrText().lines()).hasSize(4);
    }

    @Test
    void theProcessorsCanBeListed() {
        assertThat(output("lscpu -p=CPU | grep -vc '^#'"))
                .isEqualTo(output("ls -d /sys/devices/system/cpu/cpu[0-9]*/topology | wc -l"));
        assertThat(output("find /sys -name ppin")).as("a serial number").isEmpty();
        assertThat(output("ls /sys")).isEqualTo("devices\nfs\nkernel");
        assertThat(output("ls /sys/devices/system/cpu")).doesNotContain("vulnerabilities", "microcode");
    }
}
