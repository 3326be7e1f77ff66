package dev.cordon.cgroup.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cgroup.CgroupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's processors are those of its control plane. */
class ProcessorSetTest {
    private static final List<String> STATUS = List.of(
            "Name:\tjava", "Cpus_allowed:\tf", "Cpus_allowed_list:\t0-2,5", "Mems_allowed_list:\t0", "Seccomp:\t0");

    @TempDir
    private Path group;

    private void holds(String cpus, String nodes) throws IOException {
        Files.writeString(group.resolve("cpuset.cpus"), cpus + "\n");
        Files.writeString(group.resolve("cpuset.mems"), nodes + "\n");
    }

    @Test
    void areThoseThatTheKernelAllowsThisProcess() throws CgroupException {
        assertThat(ProcessorSet.of(STATUS)).isEqualTo(new ProcessorSet("0-2,5", "0"));
        assertThat(ProcessorSet.ofThisProcess().cpus()).matches("[0-9,-]+");
        assertThat(ProcessorSet.ofThisProcess().nodes()).matches("[0-9,-]+");
    }

    @Test
    void aGroupWithMoreIsConfined() throws IOException {
        ProcessorSet own = ProcessorSet.of(STATUS);
        holds("0-7", "0");
        assertThat(own.isAllOf(group)).isFalse();
        own.confine(group);
        assertThat(own.isAllOf(group)).isTrue();
        assertThat(group.resolve("cpuset.cpus")).content().startsWith("0-2,5");
    }

    @Test
    void aGroupWithOtherNodesIsConfined() throws IOException {
        holds("0-2,5", "0-1");
        assertThat(ProcessorSet.of(STATUS).isAllOf(group)).isFalse();
    }
}
