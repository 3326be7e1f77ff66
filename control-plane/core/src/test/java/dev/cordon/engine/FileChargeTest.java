package dev.cordon.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.SandboxFileException;
import dev.cordon.api.ByteSize;
import dev.cordon.api.Job;
import dev.cordon.api.Outcome;
import dev.cordon.api.SandboxSpec;
import dev.cordon.cgroup.Bound;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes into a sandbox is charged to its own memory, and refused before the kernel would kill for it. */
@Tag("jail")
final class FileChargeTest {
    private static final Outcome FINE = new Outcome.Exited(0);
    private static final int MIB = 1 << 20;

    private static Cordon cordon;

    @BeforeAll
    static void open() {
        cordon = Cordon.open();
    }

    @AfterAll
    static void close() {
        cordon.close();
    }

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
            if (!Sandboxes.holds(Bound.MEMORY)) {
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
            if (!Sandboxes.holds(Bound.MEMORY)) {
                assertThat(sandbox.files().put("large", zeros(100), 0644)).isEqualTo(100L * MIB);
                return;
            }
            sandbox.files().put("before", "kept".getBytes(UTF_8));
            assertThatThrownBy(() -> sandbox.files().put("large", zeros(200), 0644))
                    .satisfies(FileChargeTest::assertNoRoom);
            assertThat(sandbox.files().stat("large").size().bytes()).isZero();
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
            if (!Sandboxes.holds(Bound.MEMORY)) {
                assertThat(problem).isNull();
                return;
            }
            assertNoRoom(problem);
            assertThat(sandbox.run(Job.argv("rm", "-r", "/workspace/small0")).outcome())
                    .isEqualTo(FINE);
        }
    }

    @Test
    void filesThatComeSideBySideShareTheRoom() throws Exception {
        int mebibytes = Sandboxes.holds(Bound.MEMORY) ? 30 : 1;
        int most = Sandboxes.holds(Bound.MEMORY) ? 2 : 16;
        try (Sandbox sandbox = sandbox();
                ExecutorService workers = Executors.newFixedThreadPool(16)) {
            List<Future<Long>> puts = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                String name = "file" + i;
                puts.add(workers.submit(() -> sandbox.files().put(name, zeros(mebibytes), 0644)));
            }
            int arrived = 0;
            for (Future<Long> put : puts) {
                try {
                    assertThat(put.get()).isEqualTo((long) mebibytes * MIB);
                    arrived++;
                } catch (ExecutionException e) {
                    assertNoRoom(Objects.requireNonNull(e.getCause()));
                }
            }
            assertThat(arrived).isLessThanOrEqualTo(most);
            sandbox.files().delete("/workspace/file0");
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
        if (!Sandboxes.holds(Bound.MEMORY)) {
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
            boolean paused = Sandboxes.holds(Bound.MEMORY);
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
