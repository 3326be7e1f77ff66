package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Result;
import java.util.List;
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
        boolean held = !run("true").applied().limitsNotEnforced().contains(Limit.MEMORY);
        List<String> mounts = output("grep -E ' - cgroup2? ' /proc/self/mountinfo | cut -d' ' -f4,5")
                .lines()
                .toList();
        assertThat(mounts.isEmpty()).as("memory is held: %s", held).isEqualTo(!held);
        for (String mount : mounts) {
            assertThat(mount).as("the group shown is the job's own").startsWith("/ /sys/fs/cgroup");
            String place = mount.substring(2);
            assertThat(output("find " + place + " -mindepth 1 -type d"))
                    .as("groups below %s", place)
                    .isEmpty();
            Result tried = run("mkdir " + place + "/mine; echo 0 >" + place + "/cgroup.procs");
            assertThat(tried.stderrText().lines())
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).contains("Read-only file system"));
        }
        assertThat(output("find /sys -writable 2>/dev/null; true")).isEmpty();
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
