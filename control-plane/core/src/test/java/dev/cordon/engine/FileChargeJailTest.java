package dev.cordon.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.SandboxFileException;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Artifact;
import dev.cordon.result.FileEntry;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes into a sandbox is charged to its own memory, and refused before the kernel would kill for it. */
@Tag("jail")
@Tag("asUser")
final class FileChargeJailTest {
    private static final Outcome FINE = new Outcome.Exited(0);
    private static final int MIB = 1 << 20;

    @OpenCordon
    private static Cordon cordon;

    /** Of far more disk than memory. */
    private static Sandbox sandbox() {
        return cordon.openSandbox(SandboxSpec.create().memory(ByteSize.mib(64)).disk(ByteSize.mib(512)));
    }

    private static InputStream zeros(int mebibytes) {
        List<InputStream> pieces = Collections.nCopies(mebibytes, new byte[MIB]).stream()
                .map(ByteArrayInputStream::new)
                .map(InputStream.class::cast)
                .toList();
        return new SequenceInputStream(Collections.enumeration(pieces));
    }

    private static void assertNoRoom(Throwable problem) {
        assertThat(problem)
                .isInstanceOf(SandboxFileException.class)
                .hasMessageContaining("memory limit")
                .extracting(e -> ((SandboxFileException) e).error())
                .isEqualTo("ENOMEM");
    }

    @Test
    void contentCountsAgainstTheMemoryOfItsSandbox() throws IOException {
        try (Sandbox sandbox = sandbox()) {
            sandbox.files().put("large", zeros(20), 0644);
            if (!Sandboxes.holds(WholeJobLimit.MEMORY)) {
                assertThat(sandbox.sample().memory()).isNull();
                return;
            }
            ByteSize large = sandbox.sample().memory();
            assertThat(large).isNotNull().isGreaterThan(ByteSize.mib(20));
            for (int i = 0; i < 320; i++) {
                sandbox.files().put("small/" + i, new byte[32 << 10]);
            }
            assertThat(sandbox.sample().memory()).isNotNull().isGreaterThan(ByteSize.mib(30));
        }
    }

    @Test
    void contentThatDoesNotFitIsRefusedAndTheSandboxStays() throws IOException {
        try (Sandbox sandbox = sandbox()) {
            if (!Sandboxes.holds(WholeJobLimit.MEMORY)) {
                assertThat(sandbox.files().put("large", zeros(100), 0644)).isEqualTo(100L * MIB);
                return;
            }
            sandbox.files().put("before", "kept".getBytes(UTF_8));
            assertThatThrownBy(() -> sandbox.files().put("large", zeros(200), 0644))
                    .satisfies(FileChargeJailTest::assertNoRoom);
            assertThatThrownBy(() -> sandbox.files().stat("large")).hasMessageContaining("is not there");
            assertThat(sandbox.run(Job.argv("grep", "-q", "kept", "before")).outcome())
                    .isEqualTo(FINE);
            sandbox.files().put("large", zeros(20), 0644);
        }
    }

    @Test
    void manySmallFilesDoNotGetPastTheLimitEither() {
        try (Sandbox sandbox = sandbox()) {
            Throwable problem = catchThrowable(() -> {
                for (int i = 0; i < 3000; i++) {
                    sandbox.files().put("small" + i, new byte[32 << 10]);
                }
            });
            if (!Sandboxes.holds(WholeJobLimit.MEMORY)) {
                assertThat(problem).isNull();
                return;
            }
            assertNoRoom(problem);
            assertThat(sandbox.run(Job.argv("rm", "-r", "/workspace/small0")).outcome())
                    .isEqualTo(FINE);
        }
    }

    /** Each would have room alone: more of them at once than init has taken out of its socket. */
    @Test
    void smallFilesThatComeSideBySideShareTheRoom() throws Exception {
        try (Sandbox sandbox = sandbox();
                ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> puts = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                String name = "small" + i;
                puts.add(workers.submit(() -> {
                    sandbox.files().put(name, new byte[32 << 10]);
                    return true;
                }));
            }
            int refused = 0;
            for (Future<?> put : puts) {
                try {
                    put.get();
                } catch (ExecutionException e) {
                    assertNoRoom(Objects.requireNonNull(e.getCause()));
                    refused++;
                }
            }
            assertThat(refused > 0).isEqualTo(Sandboxes.holds(WholeJobLimit.MEMORY));
            assertThat(sandbox.run(Job.argv("true")).outcome()).isEqualTo(FINE);
        }
    }

    @Test
    void aStreamThatBreaksOffChangesNothing() throws IOException {
        try (Sandbox sandbox = sandbox()) {
            sandbox.files().put("tree/a", "kept".getBytes(UTF_8));
            sandbox.files().put("small", "kept".getBytes(UTF_8));
            for (String path : List.of("tree", "small")) {
                assertThatThrownBy(() -> sandbox.files().put(path, broken(10), 0644))
                        .hasMessageContaining("broke off");
            }
            assertThatThrownBy(() -> sandbox.files().put("tree", broken(MIB), 0644))
                    .hasMessageContaining("is a directory");
            assertThat(sandbox.files().get("tree/a")).asString(UTF_8).isEqualTo("kept");
            for (String path : List.of("small", "large")) {
                assertThatThrownBy(() -> sandbox.files().put(path, broken(MIB), 0644))
                        .hasMessageContaining("broke off");
            }
            assertThat(sandbox.files().get("small")).asString(UTF_8).isEqualTo("kept");
            assertThat(names(sandbox)).containsExactlyInAnyOrder("small", "tree");
        }
    }

    /** Of two uploads to one path the first breaks off when the second is complete. */
    @Test
    void anUploadThatBreaksOffDoesNotTakeAnothersFile() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            CountDownLatch second = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            InputStream stalls = new SequenceInputStream(new ByteArrayInputStream(new byte[MIB]), failing(() -> {
                begun.countDown();
                second.await();
            }));
            CompletableFuture<Throwable> first = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> sandbox.files().put("one", stalls, 0644)), Thread::startVirtualThread);
            begun.await();
            sandbox.files().put("one", zeros(2), 0600);
            second.countDown();
            assertThat(first.get()).hasMessageContaining("broke off");
            assertThat(sandbox.files().stat("one").size().bytes()).isEqualTo(2L * MIB);
            assertThat(sandbox.files().stat("one").mode()).isEqualTo(0600);
            assertThat(names(sandbox)).containsExactly("one");
        }
    }

    private static List<String> names(Sandbox sandbox) throws IOException {
        try (Stream<FileEntry> there = sandbox.files().list(".")) {
            return there.map(entry -> entry.path().substring(entry.path().lastIndexOf('/') + 1))
                    .toList();
        }
    }

    @Test
    void aCollectedFileThatNobodyKeepsIsTold() throws Exception {
        OutputListener full = new OutputListener() {
            @Override
            public void output(Source source, byte[] bytes) {}

            @Override
            public void artifact(Artifact artifact, byte[] content) {
                if (artifact.path().equals("b")) {
                    throw new IllegalStateException("the disk is full");
                }
            }
        };
        Job job = Job.argv("touch", "a", "b", "c").artifact("*");
        try (RunningJob running = cordon.start(job, full)) {
            Result result = running.result().get();
            assertThat(result.outcome()).isEqualTo(FINE);
            assertThat(result.collected().truncated()).isTrue();
            assertThat(result.collected().artifacts())
                    .extracting(Artifact::path)
                    .containsExactlyInAnyOrder("a", "c");
        }
    }

    private static InputStream broken(int after) {
        return new SequenceInputStream(new ByteArrayInputStream(new byte[after]), failing(() -> {}));
    }

    /** What happens before it breaks off. */
    @FunctionalInterface
    private interface Before {
        void run() throws InterruptedException;
    }

    private static InputStream failing(Before before) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                try {
                    before.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new IOException("it broke off");
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                return read();
            }
        };
    }

    @Test
    void filesThatComeSideBySideShareTheRoom() throws Exception {
        int mebibytes = Sandboxes.holds(WholeJobLimit.MEMORY) ? 30 : 1;
        int most = Sandboxes.holds(WholeJobLimit.MEMORY) ? 2 : 16;
        try (Sandbox sandbox = sandbox();
                ExecutorService workers = Executors.newFixedThreadPool(16)) {
            List<Future<Long>> puts = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                String name = "file" + i;
                puts.add(workers.submit(() -> sandbox.files().put(name, zeros(mebibytes), 0644)));
            }
            List<String> arrived = new ArrayList<>();
            for (int i = 0; i < puts.size(); i++) {
                try {
                    assertThat(puts.get(i).get()).isEqualTo((long) mebibytes * MIB);
                    arrived.add("file" + i);
                } catch (ExecutionException e) {
                    assertNoRoom(Objects.requireNonNull(e.getCause()));
                }
            }
            assertThat(arrived).hasSizeLessThanOrEqualTo(most);
            assertThat(names(sandbox)).containsExactlyInAnyOrderElementsOf(arrived);
            for (String name : arrived) {
                sandbox.files().delete(name);
            }
            assertThat(sandbox.run(Job.argv("true")).outcome()).isEqualTo(FINE);
        }
    }

    @Test
    void filesOfAJobCountAsItsMemory() {
        Outcome outcome = cordon.run(Job.argv("true")
                        .memory(ByteSize.mib(32))
                        .disk(ByteSize.mib(512))
                        .put("large", new byte[40 * MIB]))
                .outcome();
        if (!Sandboxes.holds(WholeJobLimit.MEMORY)) {
            assertThat(outcome).isEqualTo(FINE);
            return;
        }
        assertThat(outcome).isInstanceOfSatisfying(Outcome.SetupFailed.class, failed -> {
            assertThat(failed.error()).isEqualTo("ENOMEM");
            assertThat(failed.remedy()).contains("memory limit");
        });
    }

    @Test
    void aJobThatKillsAllItCanDoesNotCutAFileShort() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            OutputStream file = sandbox.files().create("large", 0644);
            file.write(new byte[MIB]);
            assertThat(sandbox.run(Job.python("""
                import os, signal
                for pid in [p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()] + ['1', '-1']:
                    try: os.kill(int(pid), signal.SIGKILL)
                    except OSError: pass
                """)).outcome()).isEqualTo(FINE);
            file.write(new byte[MIB]);
            file.close();
            assertThat(sandbox.files().stat("large").size()).isEqualTo(ByteSize.mib(2));
        }
    }

    @Test
    void moreFilesThanInitTakesAtATimeAreRefusedAndTheRestArrives() throws IOException {
        try (Sandbox sandbox = sandbox()) {
            List<OutputStream> open = new ArrayList<>();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 200; i++) {
                            open.add(sandbox.files().create("f" + i, 0644));
                        }
                    })
                    .isInstanceOf(SandboxFileException.class)
                    .hasMessageContaining("64 files at one time");
            for (OutputStream file : open) {
                file.write("x".getBytes(UTF_8));
                file.close();
            }
            assertThat(sandbox.files().get("f0")).hasSize(1);
            sandbox.files().put("after", new byte[MIB]);
        }
    }

    @Test
    void contentWaitsForAPausedSandbox() throws Exception {
        try (Sandbox sandbox = sandbox();
                RunningJob other = sandbox.start(Job.argv("sleep", "60"));
                ExecutorService worker = Executors.newSingleThreadExecutor()) {
            OutputStream file = sandbox.files().create("large", 0644);
            boolean paused = Sandboxes.holds(WholeJobLimit.MEMORY);
            if (paused) {
                sandbox.pause();
            }
            Future<Boolean> written = worker.submit(() -> {
                file.write(new byte[MIB]);
                file.close();
                return true;
            });
            if (paused) {
                assertThat(written.isDone()).isFalse();
                sandbox.resume();
            }
            assertThat(written.get()).isTrue();
            assertThat(sandbox.files().stat("large").size()).isEqualTo(ByteSize.mib(1));
            other.cancel();
        }
    }
}
