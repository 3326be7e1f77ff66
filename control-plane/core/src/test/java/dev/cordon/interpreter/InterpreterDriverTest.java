package dev.cordon.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.Cordon;
import dev.cordon.job.Job;
import dev.cordon.job.Language;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes from a driver is hostile: whatever it says, a run ends, within bounds, and says so. */
final class InterpreterDriverTest {
    private static final RunLimits QUICK = RunLimits.standard().timeout(Duration.ofMillis(50));

    /** A driver that says what it was told to say, then nothing until it is closed. */
    private static final class Fake implements InterpreterHost.Program {
        private final CountDownLatch closed = new CountDownLatch(1);
        private final CompletableFuture<Result> result = new CompletableFuture<>();
        private final byte[] says;

        Fake(byte[] says) {
            this.says = says;
        }

        @Override
        public OutputStream stdin() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream stdout() {
            return new SequenceInputStream(new ByteArrayInputStream(says), new InputStream() {
                @Override
                public int read() {
                    return read(new byte[1], 0, 1);
                }

                @Override
                public int read(byte[] target, int offset, int length) {
                    try {
                        closed.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return -1;
                }
            });
        }

        @Override
        public CompletableFuture<Result> result() {
            return result;
        }

        @Override
        public void close() {
            result.complete(ended(new Outcome.Cancelled()));
            closed.countDown();
        }
    }

    private static Result ended(Outcome outcome) {
        return Result.notStarted(Cordon.newId(), outcome, List.of(), Instant.EPOCH, Instant.EPOCH);
    }

    private static byte[] bytes(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(1 << 20);
        for (byte[] part : parts) {
            all.put(part);
        }
        byte[] result = new byte[all.flip().remaining()];
        all.get(result);
        return result;
    }

    private static byte[] frame(char kind, int run, String... fields) {
        return DriverFrame.of(kind, run, fields).encoded();
    }

    private static final byte[] READY = frame(DriverFrame.READY, 0, "Fake 1");

    private static Evaluation run(byte[]... says) {
        List<Fake> started = new ArrayList<>();
        InterpreterHost host = (Job job) -> {
            Fake fake = new Fake(bytes(says));
            started.add(fake);
            return fake;
        };
        try (Interpreter interpreter = Interpreter.open(host, Language.PYTHON)) {
            Evaluation evaluation = interpreter.run("1", QUICK.timeout(Duration.ofMinutes(1)));
            assertThat(started.getFirst().result()).as("the command is ended").succeedsWithin(Duration.ofMinutes(1));
            return evaluation;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 1 << 25, Integer.MAX_VALUE, -1})
    void aFrameOfAnAbsurdLengthIsRefused(int length) {
        byte[] prefix = ByteBuffer.allocate(4).putInt(length).array();
        assertThat(run(READY, prefix).ending().message()).startsWith("the interpreter broke its protocol");
    }

    @Test
    void framesThatDoNotBelongAreRefused() {
        List<byte[]> wrong = List.of(
                frame(DriverFrame.DONE, 7, "finished", "0", "0", "0"),
                frame(DriverFrame.DONE, 1, "finished"),
                frame(DriverFrame.DONE, 1, "finished", "-1", "0", "0"),
                frame(DriverFrame.DONE, 1, "finished", "99999999999999999999", "0", "0"),
                frame(DriverFrame.VALUE, 1, "no flag"),
                frame('?', 1),
                frame(DriverFrame.STDOUT, 1, "a", "b"),
                frame(DriverFrame.STDOUT, 1, "x".repeat(1 << 19) + "x".repeat(1 << 18)),
                frame(DriverFrame.DISPLAY, 1));
        for (byte[] one : wrong) {
            byte[] twice = one.length > 1 << 18 ? new byte[0] : one;
            Evaluation broken = one.length > 1 << 18 ? limited(one) : run(READY, one, twice);
            assertThat(broken.ending().message())
                    .as(new String(one, 0, Math.min(40, one.length), StandardCharsets.ISO_8859_1))
                    .startsWith("the interpreter broke its protocol");
            assertThat(broken.ending().stateKept()).isFalse();
        }
    }

    private static Evaluation limited(byte[] output) {
        try (Interpreter interpreter = Interpreter.open(job -> new Fake(bytes(READY, output)), Language.PYTHON)) {
            return interpreter.run(
                    "1", RunLimits.standard().output(ByteSize.kib(64)).timeout(Duration.ofMinutes(1)));
        }
    }

    @Test
    void noiseNeverHangsARun() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            byte[] noise = new byte[random.nextInt(4, 400)];
            random.nextBytes(noise);
            noise[0] |= (byte) 0x80;
            assertThat(run(READY, noise).ending()).isInstanceOf(RunEnding.Crashed.class);
        }
    }

    @Test
    void aDriverThatSaysNothingIsGivenUpAfterItsTime() {
        try (Interpreter interpreter = Interpreter.open(job -> new Fake(READY), Language.PYTHON)) {
            Evaluation silent = interpreter.run("1", QUICK);
            assertThat(silent.ending()).isEqualTo(new RunEnding.TimedOut(QUICK.timeout(), null, false));
        }
    }

    @Test
    void timeInWhichTheSandboxIsPausedDoesNotCount() {
        AtomicInteger looks = new AtomicInteger();
        InterpreterHost pausedForTenLooks = new InterpreterHost() {
            @Override
            public Program start(Job job) {
                return new Fake(READY);
            }

            @Override
            public long awakeNanos() {
                return looks.incrementAndGet() <= 10 ? 0 : Duration.ofMinutes(1).toNanos() * looks.get();
            }
        };
        try (Interpreter interpreter = Interpreter.open(pausedForTenLooks, Language.PYTHON)) {
            Evaluation silent = interpreter.run("1", QUICK);
            assertThat(silent.ending()).isEqualTo(new RunEnding.TimedOut(QUICK.timeout(), null, false));
            assertThat(looks.get()).isGreaterThan(10);
        }
    }

    @Test
    void anAbsentInterpreterIsSaidWithTheRemedy() {
        InterpreterHost host = job -> {
            Fake fake = new Fake(new byte[0]);
            fake.result().complete(ended(new Outcome.NotFound("node")));
            fake.closed.countDown();
            return fake;
        };
        assertThatThrownBy(() -> Interpreter.open(host, Language.NODE))
                .isInstanceOf(InterpreterUnavailable.class)
                .hasMessage("node is not in the sandbox; install it on the host (apt-get install nodejs),"
                        + " or name an image that has it");
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        DriverFrame frame = DriverFrame.of(DriverFrame.RUN, 3, "print('\u00e4')", "", "10");
        DriverFrame read = DriverFrame.read(new ByteArrayInputStream(frame.encoded()));
        if (read == null) {
            throw new AssertionError("nothing was read");
        }
        assertThat(read.kind()).isEqualTo(DriverFrame.RUN);
        assertThat(read.run()).isEqualTo(3);
        assertThat(read.text(0)).isEqualTo("print('\u00e4')");
        assertThat(read.number(2)).isEqualTo(10);
    }
}
