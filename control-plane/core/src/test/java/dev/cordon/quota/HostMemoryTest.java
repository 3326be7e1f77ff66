package dev.cordon.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.limit.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostMemoryTest {
    @TempDir
    Path root;

    private void file(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private ByteSize total() {
        return new HostMemory(root).total();
    }

    @Test
    void withoutCgroupsItIsTheHosts() throws IOException {
        file("proc/meminfo", "MemTotal:        4194304 kB\nMemFree:         1 kB\n");
        assertThat(total()).isEqualTo(ByteSize.gib(4));
    }

    @Test
    void theLeastLimitAboveThisProcessCounts() throws IOException {
        file("proc/meminfo", "MemTotal:        4194304 kB\n");
        file("proc/self/cgroup", "0::/system.slice/cordon.service\n");
        file("sys/fs/cgroup/system.slice/cordon.service/memory.max", "max\n");
        file("sys/fs/cgroup/system.slice/memory.max", "1073741824\n");
        assertThat(total()).isEqualTo(ByteSize.gib(1));
    }

    @Test
    void alsoOfTheOldKind() throws IOException {
        file("proc/meminfo", "MemTotal:        4194304 kB\n");
        file("proc/self/cgroup", "5:cpu,memory:/docker/x\n0::/\n");
        file("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "2147483648\n");
        file("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(total()).isEqualTo(ByteSize.gib(2));
    }

    @Test
    void aHostThatDoesNotTellHasNone() {
        assertThat(total()).isEqualTo(ByteSize.bytes(0));
    }
}
