package dev.cordon.interpreter;

import dev.cordon.job.Language;
import dev.cordon.result.Output;
import dev.cordon.result.OutputListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An interpreter that keeps its state: what one run defines is there for the next. One run at a time; a second caller waits for its turn.
 * Code that is interrupted or fails leaves the state as it is. An interpreter that died is said to have died, with what its code had
 * written, and the next run starts a new one and says that the state was lost.
 *
 * <p>What comes back was made by the code and may say anything; that it keeps within the limits is made sure of.
 */
public final class Interpreter implements AutoCloseable {
    /** How often a paused sandbox is looked at again; no run's time is shorter. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long code that was interrupted may go on before it is killed. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final DriverSource source;
    private final InterpreterHost host;
    private final ReentrantLock turn = new ReentrantLock(true);
    private volatile @Nullable InterpreterDriver driver;
    private volatile int current;
    private volatile int killed;
    private volatile boolean closed;
    private int runs;
    private boolean lost;

    private Interpreter(InterpreterHost host, DriverSource source) {
        this.host = host;
        this.source = source;
    }

    /**
     * Starts an interpreter.
     *
     * @param host     where it runs
     * @param language python or node
     * @throws IllegalArgumentException when the language has no such interpreter
     * @throws InterpreterUnavailable   when it cannot be started
     */
    public static Interpreter open(InterpreterHost host, Language language) {
        Interpreter interpreter = new Interpreter(host, DriverSource.of(language));
        interpreter.driver = InterpreterDriver.start(host, interpreter.source);
        return interpreter;
    }

    /** What it understands. */
    public Language language() {
        return source.language();
    }

    /** Runs code with the standard limits. */
    public Evaluation run(String code) {
        return run(code, RunLimits.standard(), OutputListener.none());
    }

    /** Runs code within limits. */
    public Evaluation run(String code, RunLimits limits) {
        return run(code, limits, OutputListener.none());
    }

    /**
     * Runs code, where the policy allows it: a run is judged, counted and recorded as a command of the sandbox is, and one that is not
     * allowed ends with {@link RunEnding.Denied}. An interrupt of the calling thread interrupts the code.
     *
     * @param code     a piece of the language; the last expression's value is part of the answer
     * @param limits   what it may take
     * @param listener hears the output as it comes
     * @throws InterpreterUnavailable when the interpreter had died and a new one cannot be started
     * @throws IllegalStateException  when this is closed
     */
    public Evaluation run(String code, RunLimits limits, OutputListener listener) {
        turn.lock();
        try {
            checkOpen();
            return switch (host.judge(language(), code, limits)) {
                case InterpreterHost.Turn.Refused refused ->
                    notRun(new RunEnding.Denied(refused.reasons(), refused.retryAfter()));
                case InterpreterHost.Turn.Granted granted -> {
                    Evaluation evaluation;
                    try {
                        evaluation = evaluated(code, granted.limits(), listener);
                    } catch (RuntimeException | Error e) {
                        granted.failed().accept(String.valueOf(e.getMessage()));
                        throw e;
                    }
                    granted.ended().accept(evaluation);
                    yield evaluation;
                }
            };
        } finally {
            turn.unlock();
        }
    }

    private Evaluation evaluated(String code, RunLimits limits, OutputListener listener) {
        InterpreterDriver live = live();
        RunRecording recording = new RunRecording(++runs, limits, listener);
        boolean fresh = lost;
        lost = false;
        long start = System.nanoTime();
        current = recording.run();
        boolean timedOut;
        try {
            live.begin(recording, code, limits);
            timedOut = !ends(recording, live, limits.timeout());
        } finally {
            current = 0;
        }
        fresh |= live.diedBetweenRuns();
        Evaluation evaluation = evaluation(recording, limits, timedOut, fresh, System.nanoTime() - start);
        lost = !evaluation.ending().stateKept();
        return evaluation;
    }

    private Evaluation notRun(RunEnding ending) {
        return new Evaluation(
                ++runs, ending, Output.empty(), Output.empty(), null, false, List.of(), 0, false, Duration.ZERO);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("this interpreter is closed; open another one");
        }
    }

    private InterpreterDriver live() {
        checkOpen();
        InterpreterDriver live = driver;
        if (live == null || live.over()) {
            if (live != null) {
                live.close();
                lost |= runs > 0;
            }
            live = InterpreterDriver.start(host, source);
            driver = live;
            if (closed) {
                live.close();
            }
        }
        return live;
    }

    /** Sees to it that the run ends; false when its time was up before. */
    private boolean ends(RunRecording recording, InterpreterDriver live, Duration timeout) {
        boolean called = false;
        try {
            if (ended(recording, timeout)) {
                return true;
            }
        } catch (InterruptedException e) {
            called = true;
        }
        live.interrupt(recording.run());
        try {
            if (!ended(recording, GRACE)) {
                killed = recording.run();
                live.kill(recording.run());
                if (!ended(recording, GRACE)) {
                    live.end(new InterpreterExit.Unresponsive());
                }
            }
        } catch (InterruptedException e) {
            called = true;
            killed = recording.run();
            live.end(new InterpreterExit.Closed());
        }
        if (called) {
            Thread.currentThread().interrupt();
        }
        return called;
    }

    /** Waits for a run's end; time in which the sandbox is paused does not count. */
    private boolean ended(RunRecording recording, Duration time) throws InterruptedException {
        long begin = host.awakeNanos();
        long left = time.toNanos();
        try {
            while (left > 0) {
                try {
                    var _ = recording.end().get(Math.max(left, LOOK_NANOS), TimeUnit.NANOSECONDS);
                    return true;
                } catch (TimeoutException e) {
                    left = time.toNanos() - (host.awakeNanos() - begin);
                }
            }
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run was lost", e.getCause());
        }
    }

    private Evaluation evaluation(
            RunRecording recording, RunLimits limits, boolean timedOut, boolean fresh, long nanos) {
        RunRecording.End end = recording.end().join();
        return recording.evaluation(
                ending(recording, end, limits, timedOut), end.dropped(), fresh, Duration.ofNanos(nanos));
    }

    private RunEnding ending(RunRecording recording, RunRecording.End end, RunLimits limits, boolean timedOut) {
        Traceback traceback = recording.traceback();
        InterpreterExit exit = end.exit();
        boolean dead = exit != null;
        if (exit != null && killed != recording.run()) {
            return new RunEnding.Crashed(exit);
        }
        if (timedOut) {
            return new RunEnding.TimedOut(limits.timeout(), traceback, !dead);
        }
        if (dead || end.how().equals("interrupted")) {
            return new RunEnding.Interrupted(traceback, !dead);
        }
        if (end.how().equals("raised") && traceback != null) {
            return new RunEnding.Raised(traceback);
        }
        return new RunEnding.Finished();
    }

    /** Asks the code that runs to stop, as Ctrl-C does; nothing happens when none runs. Code can ignore it: see {@link #restart}. */
    public void interrupt() {
        int run = current;
        InterpreterDriver live = driver;
        if (run != 0 && live != null) {
            live.interrupt(run);
        }
    }

    /** Kills the interpreter with the code that runs. The next run starts a new one; nothing that was defined is left. */
    public void restart() {
        int run = current;
        InterpreterDriver live = driver;
        if (run != 0 && live != null) {
            killed = run;
            live.kill(run);
        } else {
            turn.lock();
            try {
                InterpreterDriver idle = driver;
                driver = null;
                lost = runs > 0;
                if (idle != null) {
                    idle.close();
                }
            } finally {
                turn.unlock();
            }
        }
    }

    /** Ends the interpreter and what its code started; a run that is on ends, too. */
    @Override
    public void close() {
        closed = true;
        InterpreterDriver live = driver;
        if (live != null) {
            live.close();
        }
    }
}
