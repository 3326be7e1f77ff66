package dev.cordon.engine;

import static dev.cordon.engine.Sandboxes.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Limits hold, and the result says which one ended a job. Where this user has no cgroups (rootless without delegation) the same tests show
 * that the result says so and that a strict job is refused.
 */
@Tag("jail")
@Tag("asUser")
final class LimitJailTest {
    private static final Outcome KILLED_FOR_MEMORY = new Outcome.OutOfMemory(new Outcome.Signaled(9));

    @OpenCordon
    private static Cordon cordon;

    private static boolean memory;
    private static boolean pids;
    private static boolean rate;

    @BeforeAll
    static void open() {
        memory = Sandboxes.holds(WholeJobLimit.MEMORY);
        pids = Sandboxes.holds(WholeJobLimit.PIDS);
        rate = Sandboxes.holds(WholeJobLimit.CPU_RATE);
    }

    private static Job small(String... arguments) {
        return payload(arguments)
                .memory(ByteSize.mib(64))
                .disk(ByteSize.mib(512))
                .timeout(Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"anonymous", "shared", "tmpfs", "disk"})
    void memoryInAnyShapeIsCounted(String shape) {
        Result result = cordon.run(small(shape, "256"));
        if (memory) {
            assertThat(result.outcome()).isEqualTo(KILLED_FOR_MEMORY);
            assertThat(result.stdoutText()).doesNotContain("survived");
        } else {
            assertThat(result.applied().limitsNotEnforced()).contains(Limit.MEMORY);
        }
    }

    @Test
    void memoryBelowTheLimitIsFree() {
        Result result = cordon.run(small("anonymous", "32"));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdoutText()).isEqualTo("survived anonymous\n");
        if (memory) {
            assertThat(result.usage().peakMemory())
                    .isGreaterThan(ByteSize.mib(32))
                    .isLessThan(ByteSize.mib(65));
        }
    }

    @Test
    void pipeBuffersAreCounted() {
        Result result = cordon.run(small("pipes", "4000").openFiles(16384).pids(8));
        if (memory) {
            // The kernel refuses the buffer (ENOMEM in the write) or kills for it, depending on where it ran out.
            assertThat(result.usage().peakMemory()).isLessThanOrEqualTo(ByteSize.mib(65));
        } else {
            assertThat(result.applied().limitsNotEnforced()).contains(Limit.MEMORY);
        }
    }

    @Test
    void aKillThatIsNotForMemoryIsNotCalledSo() {
        assertThat(cordon.run(small("kill-self", "9")).outcome()).isEqualTo(new Outcome.Signaled(9));
    }

    @Test
    void manyOutOfMemoryAtOnceHurtNoNeighbour() throws Exception {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        Job waiting = payload("wait").timeout(Duration.ofMinutes(5));
        try (RunningJob neighbour = cordon.start(waiting, (source, bytes) -> ready.complete(null))) {
            ready.get();
            List<RunningJob> hogs = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                hogs.add(cordon.start(small("anonymous", memory ? "256" : "32")));
            }
            for (RunningJob hog : hogs) {
                assertThat(hog.await().outcome()).isEqualTo(memory ? KILLED_FOR_MEMORY : new Outcome.Exited(0));
            }
            neighbour.signal(15);
            assertThat(neighbour.await().outcome()).isEqualTo(new Outcome.Signaled(15));
        }
    }

    @Test
    void aForkBombStaysSmallAndNeighboursRun() throws Exception {
        Job job = payload("forkbomb", "3").pids(64).timeout(Duration.ofMinutes(2));
        try (RunningJob bomb = cordon.start(rate ? job.cpus(0.5) : job)) {
            assertThat(cordon.run(Job.argv("true")).outcome()).isEqualTo(new Outcome.Exited(0));
            Result result = bomb.await();
            if (pids) {
                assertThat(result.outcome()).isEqualTo(new Outcome.PidsLimit(new Outcome.Exited(0)));
                assertThat(result.usage().pidsPeak()).isLessThanOrEqualTo(65);
            } else {
                assertThat(result.applied().limitsNotEnforced()).contains(Limit.PIDS);
                assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
            }
        }
    }

    @Test
    void aThreadBombIsStopped() {
        Result result = cordon.run(payload("threadbomb", "1000").pids(32));
        assertThat(result.stdoutText()).startsWith("stopped at ").endsWith("Resource temporarily unavailable\n");
        assertThat(result.outcome())
                .isEqualTo(pids ? new Outcome.PidsLimit(new Outcome.Exited(4)) : new Outcome.Exited(4));
    }

    @Test
    void aFullDiskIsTold() {
        Result result = cordon.run(payload("disk", "64").disk(ByteSize.mib(16)).fileSize(ByteSize.mib(64)));
        assertThat(result.stdoutText()).isEqualTo("stopped at 16 MiB: No space left on device\n");
        assertThat(result.outcome()).isEqualTo(new Outcome.DiskLimit(new Outcome.Exited(4)));
    }

    @Test
    void spaceOfDeletedFilesCounts() {
        Result result = cordon.run(payload("deleted", "64").disk(ByteSize.mib(16)));
        assertThat(result.stdoutText()).isEqualTo("stopped at 16 MiB: No space left on device\n");
    }

    @Test
    void inodesRunOut() {
        Result result = cordon.run(payload("inodes", "100000").files(100));
        assertThat(result.stdoutText()).startsWith("stopped at 9").endsWith("No space left on device\n");
        assertThat(result.outcome()).isEqualTo(new Outcome.DiskLimit(new Outcome.Exited(4)));
    }

    @Test
    void aFileHasALargestSize() {
        Result result = cordon.run(payload("disk", "64").fileSize(ByteSize.mib(2)));
        assertThat(result.outcome()).isEqualTo(new Outcome.DiskLimit(new Outcome.Signaled(25))); // SIGXFSZ
    }

    @Test
    void openFilesHaveALimit() {
        Result result = cordon.run(payload("files", "100").openFiles(32));
        assertThat(result.stdoutText()).isEqualTo("stopped at 29 files: No file descriptors available\n");
    }

    @Test
    void openFilesThatAreAllTakenAreTold() {
        Result held = noticed(seconds -> payload("hold-files", Integer.toString(seconds)));
        assertThat(held.limitsMet()).containsExactly(Limit.OPEN_FILES);
        assertThat(cordon.run(payload("hold-twenty", "1").openFiles(32)).limitsMet())
                .isEmpty();
    }

    @Test
    void openFilesThatAreAllTakenAreToldOfAJobThatIsKilled() {
        Result killed = noticed(seconds -> payload("hold-files", "0").timeout(Duration.ofSeconds(seconds)));
        assertThat(killed.outcome()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(killed.limitsMet()).containsExactlyInAnyOrder(Limit.TIMEOUT, Limit.OPEN_FILES);
    }

    /** Nothing counts refused opens: init looks now and then, on a slow machine later. */
    private static Result noticed(IntFunction<Job> holding) {
        Result result = null;
        for (int seconds = 1; seconds <= 64; seconds *= 4) {
            result = cordon.run(holding.apply(seconds).openFiles(32));
            if (result.limitsMet().contains(Limit.OPEN_FILES)) {
                break;
            }
        }
        return Objects.requireNonNull(result);
    }

    @Test
    void halfACpuIsHalfACpu() {
        if (!rate) {
            Outcome outcome = cordon.run(payload("burn", "100").cpus(0.5)).outcome();
            assertThat(outcome).isInstanceOf(Outcome.HostUnsupported.class);
            assertThat(outcome.exitCode()).isEqualTo(123);
            return;
        }
        Result result = cordon.run(payload("burn", "3000").cpus(0.5).timeout(Duration.ofMinutes(2)));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
        // Other work on the machine only makes it slower. What an emulated processor stands still is counted as used,
        // and the job may end
        // before it has paid that back: without a limit it would have the whole of one.
        double share =
                (double) result.usage().cpu().toNanos() / result.usage().wall().toNanos();
        assertThat(share).isLessThan(0.75);
    }

    @Test
    void aDiskIsReadNoFasterThanAllowed() throws Exception {
        Job reading = Job.argv(
                        "sh",
                        "-c",
                        "dd if=\"$0\" of=/dev/null bs=64k count=64 iflag=direct && echo read && read end",
                        largeFile().toString())
                .stdin(new PipedInputStream(new PipedOutputStream()))
                .readRate(ByteSize.mib(1))
                .timeout(Duration.ofMinutes(2));
        CountDownLatch read = new CountDownLatch(1);
        long before = System.nanoTime();
        try (RunningJob job = cordon.start(reading, (source, bytes) -> {
            if (source == OutputListener.Source.STDOUT) {
                read.countDown();
            }
        })) {
            if (!Sandboxes.holds(WholeJobLimit.IO)) {
                assertThat(job.await().outcome())
                        .isInstanceOfSatisfying(
                                Outcome.HostUnsupported.class,
                                refusal -> assertThat(refusal.check()).contains("read_rate"));
                return;
            }
            assertThat(read.await(2, TimeUnit.MINUTES)).isTrue();
            // 4 MiB at 1 MiB a second. The kernel lets a first burst through; a slow machine only takes longer.
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofSeconds(2));
            assertThat(ioLimits(job.id())).allMatch(line -> line.contains("rbps=1048576 wbps=max"));
        }
    }

    private static List<String> ioLimits(JobId job) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("/sys/fs/cgroup"))) {
            List<String> lines = files.filter(file ->
                            file.endsWith("job/io.max") && file.toString().contains(job.value()))
                    .flatMap(file -> {
                        try {
                            return Files.readAllLines(file).stream();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .toList();
            assertThat(lines).isNotEmpty();
            return lines;
        }
    }

    /** A file of at least 4 MiB on a disk that every jail shows. */
    private static Path largeFile() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("/usr/lib"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toFile().length() >= 4 << 20 && Files.isReadable(file))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void strictJobsAreRefusedWhereLimitsDoNotHold() {
        Outcome outcome = cordon.run(Job.argv("true").strict(true)).outcome();
        if (memory && pids && rate) {
            assertThat(outcome).isEqualTo(new Outcome.Exited(0));
        } else {
            assertThat(outcome).isInstanceOf(Outcome.HostUnsupported.class);
            assertThat(((Outcome.HostUnsupported) outcome).remedy()).isNotEmpty();
        }
    }

    @Test
    void aCrowdIsGoneSoonAfterCancel() throws Exception {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        Job job = payload("crowd", "1000").pids(1100).memory(ByteSize.gib(1)).timeout(Duration.ofMinutes(5));
        try (RunningJob crowd = cordon.start(job, (source, bytes) -> ready.complete(null))) {
            CompletableFuture.anyOf(ready, crowd.result()).get();
            assumeThat(crowd.result().isDone())
                    .as("this user may not have 1000 processes")
                    .isFalse();
            crowd.cancel();
            assertThat(crowd.await().outcome()).isEqualTo(new Outcome.Cancelled());
        }
        assertThat(Sandboxes.processesWith("payload\0crowd")).isEmpty();
    }
}
