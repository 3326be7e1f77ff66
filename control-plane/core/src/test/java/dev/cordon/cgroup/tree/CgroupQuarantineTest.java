package dev.cordon.cgroup.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.cgroup.JobName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** THREATS X-07. A directory with a file in it is as busy as a cgroup with a process that does not die. */
class CgroupQuarantineTest {

    private final CgroupQuarantine quarantine = new CgroupQuarantine(Duration.ofMillis(20));
    private final AtomicInteger released = new AtomicInteger();
    private final JobName name = new ControlPlaneName("c254d7de", 1, 2, 3).job(4, "job");

    @TempDir
    Path parent;

    @Test
    void emptyDirectoryIsGoneAtOnce() throws IOException {
        assertThat(quarantine.remove(name, directories(Files.createDirectory(parent.resolve("a"))), this::release))
                .isTrue();
        assertThat(parent).isEmptyDirectory();
        assertThat(released).hasValue(1);
        assertThat(quarantine.names()).isEmpty();
    }

    @Test
    void busyDirectoryIsKeptAndTriedAgain() throws IOException {
        Path busy = Files.createDirectory(parent.resolve("a"));
        Path holder = Files.createFile(busy.resolve("process"));
        assertThat(quarantine.remove(name, directories(busy), this::release)).isFalse();
        assertThat(quarantine.names()).containsExactly(name);
        quarantine.retry();
        assertThat(quarantine.names()).containsExactly(name);
        assertThat(released).hasValue(0);

        Files.delete(holder);
        quarantine.retry();
        quarantine.retry();
        assertThat(busy).doesNotExist();
        assertThat(quarantine.names()).isEmpty();
        assertThat(released).hasValue(1);
    }

    @Test
    void interruptDoesNotCutTheWaitShortAndIsKept() throws IOException {
        Path busy = Files.createDirectory(parent.resolve("a"));
        Files.createFile(busy.resolve("process"));
        long start = System.nanoTime();
        Thread.currentThread().interrupt();
        quarantine.remove(name, directories(busy), this::release);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
    }

    private void release() {
        released.incrementAndGet();
    }

    private static JobDirectories directories(Path directory) {
        return new JobDirectories(Optional.empty(), List.of(directory));
    }
}
