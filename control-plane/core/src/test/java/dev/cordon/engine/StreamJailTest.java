package dev.cordon.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.Stdin;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams of running jobs: whole, apart, as they come, and with a reader who takes his time. */
@Tag("jail")
final class StreamJailTest {
    private static final int MIB = 1 << 20;

    /** Writes its input to standard error, and its hash to standard output. */
    private static final String ECHO = """
        import hashlib, sys
        digest = hashlib.sha256()
        while piece := sys.stdin.buffer.read1(1 << 18):
            digest.update(piece)
            sys.stderr.buffer.write(piece)
        print(digest.hexdigest())
        """;

    @OpenCordon
    private static Cordon cordon;

    @Test
    void aHundredMebibytesGoThroughUnharmed() throws Exception {
        MessageDigest sent = MessageDigest.getInstance("SHA-256");
        MessageDigest got = MessageDigest.getInstance("SHA-256");
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create());
                RunningJob job = sandbox.start(
                        Job.python(ECHO).stdin(Stdin.fed()).streaming().timeout(Duration.ofMinutes(2)))) {
            Thread writer = Thread.ofVirtual().start(() -> feed(job, sent));
            long count = drain(job.stderr(), got);
            writer.join();
            Result result = job.await();
            assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
            assertThat(count).isEqualTo(100L * MIB);
            String hash = HexFormat.of().formatHex(sent.digest());
            assertThat(HexFormat.of().formatHex(got.digest())).isEqualTo(hash);
            assertThat(new String(job.stdout().readAllBytes(), UTF_8)).startsWith(hash);
            // The result keeps the beginning, as it does for any job, and tells how much there was.
            assertThat(result.stderr().bytes()).hasSize(MIB);
            assertThat(result.stderr().total()).isEqualTo(100L * MIB);
        }
    }

    private static void feed(RunningJob job, MessageDigest digest) {
        byte[] piece = new byte[MIB];
        Random random = new Random(5);
        try (var stdin = job.stdin()) {
            for (int i = 0; i < 100; i++) {
                random.nextBytes(piece);
                digest.update(piece);
                stdin.write(piece);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long drain(InputStream stream, MessageDigest digest) throws IOException {
        long total = 0;
        byte[] piece = new byte[64 * 1024];
        for (int count = stream.read(piece); count >= 0; count = stream.read(piece)) {
            digest.update(piece, 0, count);
            total += count;
        }
        return total;
    }

    @Test
    void aSlowReaderHoldsUpNobodyAndNothingPilesUp() throws Exception {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create());
                RunningJob flood = sandbox.start(Job.argv("yes").streaming().timeout(Duration.ofMinutes(2)))) {
            InputStream slow = flood.stdout();
            // The room fills; then the job waits in its write.
            await().until(() -> slow.available() >= 256 * 1024);
            for (int i = 0; i < 20; i++) {
                assertThat(slow.read()).isEqualTo(i % 2 == 0 ? 'y' : '\n');
                assertThat(sandbox.run(Job.argv("echo", "quick")).stdoutText()).isEqualTo("quick\n");
                assertThat(cordon.run(Job.argv("echo", "quick")).stdoutText()).isEqualTo("quick\n");
                assertThat(slow.available()).isLessThan(1024 * 1024);
            }
            flood.cancel();
            Result result = flood.await();
            assertThat(result.outcome()).isEqualTo(new Outcome.Cancelled());
            // What had been taken out of the pipe is all there, however late it is read; and then it ends.
            assertThat(slow.readAllBytes().length).isBetween(256 * 1024 - 20, 4 * MIB);
        }
    }

    @Test
    void aReaderWhoLeavesHoldsUpNothing() throws Exception {
        try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create());
                RunningJob job = sandbox.start(Job.argv("sh", "-c", "head -c 5000000 /dev/zero; echo over >&2")
                        .streaming())) {
            job.stdout().close();
            assertThat(new String(job.stderr().readAllBytes(), UTF_8)).isEqualTo("over\n");
            assertThat(job.await().outcome()).isEqualTo(new Outcome.Exited(0));
        }
    }

    @Test
    void outputComesWhileTheJobRuns() throws Exception {
        try (RunningJob job = cordon.start(Job.argv("sh", "-c", "echo ready; read word; echo \"got $word\" >&2")
                .stdin(Stdin.fed())
                .streaming())) {
            assertThat(new String(job.stdout().readNBytes(6), UTF_8)).isEqualTo("ready\n");
            job.stdin().write("it\n".getBytes(UTF_8));
            assertThat(new String(job.stderr().readAllBytes(), UTF_8)).isEqualTo("got it\n");
            assertThat(job.await().outcome()).isEqualTo(new Outcome.Exited(0));
            assertThatThrownBy(() -> job.stdin().write(new byte[MIB])).isInstanceOf(IOException.class);
        }
    }
}
