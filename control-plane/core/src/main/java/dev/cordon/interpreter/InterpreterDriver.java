package dev.cordon.interpreter;

import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A driver that was started in a sandbox, and the thread that hears it. Whatever it says or fails to say, a run ends: by its word, by the
 * end of the command, or by {@link #end}.
 */
final class InterpreterDriver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InterpreterDriver.class);

    /** A slow machine without acceleration needs seconds to start an interpreter. */
    private static final long START_SECONDS = 60;

    private static final long LAST_WORD_SECONDS = 10;

    private final InterpreterHost.Program program;
    private final CompletableFuture<String> ready = new CompletableFuture<>();
    private final AtomicReference<@Nullable RunRecording> current = new AtomicReference<>();
    private volatile boolean over;
    private volatile InterpreterExit exit = new InterpreterExit.Closed();
    private volatile boolean diedIdle;

    private InterpreterDriver(InterpreterHost.Program program) {
        this.program = program;
    }

    /**
     * Starts one and waits until it takes code.
     *
     * @throws InterpreterUnavailable when it cannot be started
     */
    static InterpreterDriver start(InterpreterHost host, DriverSource source) {
        InterpreterDriver driver = new InterpreterDriver(host.start(source.job()));
        try {
            driver.load(source.program());
            Thread.ofVirtual().name("cordon-interpreter").start(driver::listen);
            driver.awaitReady(source);
            return driver;
        } catch (RuntimeException | Error e) {
            driver.close();
            throw e;
        }
    }

    private void load(byte[] program) {
        byte[] length =
                ByteBuffer.allocate(Integer.BYTES).putInt(program.length).array();
        send(length);
        send(program);
    }

    private void awaitReady(DriverSource source) {
        try {
            var _ = ready.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw unavailable(source);
        } catch (TimeoutException e) {
            throw new InterpreterUnavailable(
                    "the interpreter for " + source.language().label() + " did not answer within " + START_SECONDS
                            + " s; give the sandbox more CPU or memory");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterpreterUnavailable("the start of the interpreter was interrupted; try again");
        }
    }

    private InterpreterUnavailable unavailable(DriverSource source) {
        Result result = program.result().join();
        String name = source.command().getFirst();
        String said = result.stderrText().strip();
        return result.outcome() instanceof Outcome.NotFound
                ? new InterpreterUnavailable(name + " is not in the sandbox; " + source.remedy())
                : new InterpreterUnavailable("the interpreter " + ExitText.of(result.outcome())
                        + (said.isEmpty() ? "" : "; it said: " + lastLine(said)));
    }

    private static String lastLine(String text) {
        return text.substring(text.lastIndexOf('\n') + 1);
    }

    private void send(byte[] bytes) {
        try {
            OutputStream stdin = program.stdin();
            stdin.write(bytes);
            stdin.flush();
        } catch (IOException e) {
            LOG.debug("the driver takes nothing any more; the thread that listens says how it ended", e);
        }
    }

    /** Asks for a run. One at a time. */
    void begin(RunRecording recording, String code, RunLimits limits) {
        current.set(recording);
        if (over) {
            recording.fail(exit);
        }
        send(DriverFrame.of(
                        DriverFrame.RUN,
                        recording.run(),
                        code,
                        Long.toString(limits.output().bytes()),
                        Long.toString(limits.displays().bytes()))
                .encoded());
    }

    /** Asks the code of a run to stop; nothing happens when it is over. */
    void interrupt(int run) {
        send(DriverFrame.of(DriverFrame.INTERRUPT, run).encoded());
    }

    /** Kills the interpreter if it still is at this run; its keeper stays. */
    void kill(int run) {
        send(DriverFrame.of(DriverFrame.KILL, run).encoded());
    }

    /** Whether nothing can be run in it any more. */
    boolean over() {
        return over || program.result().isDone();
    }

    /** Whether the interpreter died while it had nothing to do, since this was asked last. */
    boolean diedBetweenRuns() {
        boolean died = diedIdle;
        diedIdle = false;
        return died;
    }

    private void listen() {
        InterpreterExit how = null;
        try (InputStream stdout = program.stdout()) {
            DriverFrame frame = DriverFrame.read(stdout);
            while (frame != null) {
                take(frame);
                frame = DriverFrame.read(stdout);
            }
        } catch (BrokenProtocol e) {
            how = e.exit();
        } catch (IOException | RuntimeException e) {
            how = new InterpreterExit.Unreadable(e.toString());
        }
        end(how == null ? new InterpreterExit.KeeperEnded(lastWord()) : how);
    }

    private Outcome lastWord() {
        try {
            return program.result().get(LAST_WORD_SECONDS, TimeUnit.SECONDS).outcome();
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            return new Outcome.Cancelled();
        }
    }

    private void take(DriverFrame frame) throws BrokenProtocol {
        if (frame.kind() == DriverFrame.READY) {
            frame.expect(1, 1);
            ready.complete(frame.text(0));
            return;
        }
        RunRecording recording = current.get();
        if (recording != null && recording.run() == frame.run()) {
            recording.take(frame);
        } else if (frame.run() == 0 && frame.kind() == DriverFrame.DIED) {
            diedIdle = true;
        } else {
            throw new BrokenProtocol("a frame for run " + Integer.toUnsignedString(frame.run()));
        }
    }

    /** Gives it up: the command is ended, and so is a run. */
    void end(InterpreterExit how) {
        exit = how;
        over = true;
        ready.completeExceptionally(new IllegalStateException(how.text()));
        RunRecording recording = current.get();
        if (recording != null) {
            recording.fail(how);
        }
        program.close();
    }

    @Override
    public void close() {
        end(new InterpreterExit.Closed());
    }
}
