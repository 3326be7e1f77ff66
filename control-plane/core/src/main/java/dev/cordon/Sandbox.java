package dev.cordon;

import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.engine.SandboxException;
import dev.cordon.flow.AwakeTime;
import dev.cordon.flow.SandboxClock;
import dev.cordon.interpreter.Interpreter;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.Language;
import dev.cordon.plan.planner.JobPlanner;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.result.SandboxInfo;
import dev.cordon.result.UsageSample;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that stays: run any number of jobs in it, one after the other or side by side. They share its files, its processes, its memory
 * and its other limits; what one leaves in /workspace the next one finds.
 *
 * <pre>{@code
 * try (Sandbox sandbox = cordon.openSandbox(SandboxSpec.create().memory(ByteSize.gib(1)))) {
 *     sandbox.run(Job.shell("echo 6 > number"));
 *     Result result = sandbox.run(Job.python("print(int(open('number').read()) * 7)"));
 * }
 * }</pre>
 *
 * <p>What holds for one command in a sandbox, and differs from a job of its own:
 *
 * <ul>
 *   <li>The time limit ends the command and what it started; a process that made itself independent (a daemon) goes on until the sandbox
 *       ends.
 *   <li>The CPU time limit holds for each process alone, because the kernel counts the sandbox and not its commands; the result lists it
 *       under the limits that are not enforced for the whole. Its usage is that of its main process and the children that one waited for.
 *   <li>A process that a command leaves behind keeps running. What it still writes to the command's streams after a quarter of a second
 *       is thrown away; send it to a file.
 *   <li>Where the kernel kills for memory by cgroup (v2), all of the sandbox dies together: every running command ends with
 *       {@code OutOfMemory}, and the sandbox is over.
 * </ul>
 *
 * <p>The policy is asked for each command. Limits of the deciding rule that are a command's own are held for it; what the rule wants of the
 * whole sandbox (level, profile, hardware, memory, ...) the sandbox has to have, or the command is denied with the reason. A rule that
 * escalates kills the command at its first tripwire; it is not run again.
 *
 * <p>Safe for use by many threads. Closing it ends everything in it. Nothing else ends it but a time to live that it was opened with.
 */
public final class Sandbox implements AutoCloseable {
    private final JobId id;
    private final StandingSandbox standing;
    private final OpenSandbox sandbox;
    private final SandboxClock clock;
    private final Instant created = Instant.now();
    private final AwakeTime awake = new AwakeTime();

    Sandbox(JobId id, StandingSandbox standing) {
        this.id = id;
        this.standing = standing;
        this.sandbox = standing.open();
        this.clock = standing.clock();
    }

    /** Its id, which begins with {@code box_}. */
    public JobId id() {
        return id;
    }

    /** Runs a job to its end. An interrupt of the calling thread cancels it. */
    public Result run(Job job) {
        return run(job, OutputListener.none());
    }

    /** Runs a job to its end and hears its output as it comes. An interrupt of the calling thread cancels it. */
    public Result run(Job job, OutputListener listener) {
        try (RunningJob running = start(new CommandEntry(Cordon.newId(), job, listener, false, null, standing))) {
            return running.awaitOrCancel();
        }
    }

    /** Starts a job. */
    public RunningJob start(Job job) {
        return start(job, OutputListener.none());
    }

    /** Starts a job and hears its output as it comes. */
    public RunningJob start(Job job, OutputListener listener) {
        return start(Cordon.newId(), job, listener);
    }

    /**
     * Starts a job under an id of {@link Cordon#newId}. Fields of the job that are the sandbox's matter (isolation, memory, mounts, ...)
     * make it invalid; limits that it does not name are those of the sandbox.
     */
    public RunningJob start(JobId jobId, Job job, OutputListener listener) {
        return start(new CommandEntry(jobId, job, listener, true, null, standing));
    }

    /**
     * Starts an interpreter, which waits for code. The time limits are those of its runs, and what they took was charged already.
     *
     * @param charged nanoseconds of CPU time that its runs were charged with
     */
    RunningJob startWaiting(Job job, LongSupplier charged) {
        return start(new CommandEntry(Cordon.newId(), job, OutputListener.none(), true, charged, standing));
    }

    private RunningJob start(CommandEntry command) {
        return standing.cordon().flow().run(command);
    }

    /** Its files. */
    public SandboxFiles files() {
        boolean jailed = sandbox.plan().tier().isolation() != Isolation.PROCESS;
        return new SandboxFiles(sandbox.files(), new SandboxPaths(JobPlanner.workspace(sandbox.plan()), jailed), clock);
    }

    /**
     * Starts an interpreter that keeps its state from one piece of code to the next. Opening it counts as a command, and so does each
     * run: it is judged by the policy, counted against the owner's quotas and recorded like one. While it waits for code the sandbox is
     * idle. A run has the time that it asks for, at most that of {@link dev.cordon.job.SandboxSpec#timeout} where the sandbox was opened
     * with one, the operator's ceiling and what the deciding rule allows; the CPU time of a run is bounded by its time and the sandbox's
     * CPUs. The interpreter itself lives for seven days at most.
     *
     * @param language {@code python} or {@code node}
     * @throws IllegalArgumentException when the language has no such interpreter
     * @throws dev.cordon.interpreter.InterpreterUnavailable when it cannot be started, such as where it is not installed
     */
    public Interpreter interpreter(String language) {
        return interpreter(Language.parse(language));
    }

    /** Starts an interpreter of a language, as {@link #interpreter(String)} does. */
    public Interpreter interpreter(Language language) {
        return Interpreter.open(new SandboxInterpreterHost(this, standing, awake), language);
    }

    /**
     * Stops every process where it is, and the clocks of the running jobs with them. Jobs that are started meanwhile wait.
     *
     * @throws SandboxRefused when this host has no freezer, or the processes did not stop
     */
    public void pause() {
        clock.touch();
        try {
            sandbox.pause();
            awake.pause();
        } catch (SandboxException e) {
            throw new SandboxRefused(e.outcome());
        }
    }

    /**
     * Lets everything go on.
     *
     * @throws SandboxRefused when the processes could not be let go
     */
    public void resume() {
        clock.touch();
        try {
            sandbox.resume();
            awake.resume();
        } catch (SandboxException e) {
            throw new SandboxRefused(e.outcome());
        }
    }

    /** Sets how much longer it lives, from now; null: until it is closed. For sandboxes that were opened with a time to live, and others. */
    public void ttl(@Nullable Duration time) {
        if (time != null && !time.isPositive()) {
            throw new IllegalArgumentException(
                    "a time to live is above zero, not " + time + "; to end it now, close it");
        }
        clock.expireIn(time);
    }

    /** What the sandbox takes now, all its jobs together; the fields are null where the host does not count or it has ended. */
    public UsageSample sample() {
        return sandbox.sample();
    }

    /** What there is to know about it now. */
    public SandboxInfo info() {
        CompletableFuture<SandboxEndReason> end = sandbox.end();
        SandboxInfo.State state = end.isDone()
                ? SandboxInfo.State.ENDED
                : awake.paused() ? SandboxInfo.State.PAUSED : SandboxInfo.State.OPEN;
        return new SandboxInfo(
                id,
                state,
                end.isDone() ? "the sandbox " + end.join().text() : null,
                sandbox.plan().tier().isolation(),
                standing.spec().origin().owner(),
                standing.spec().origin().labels(),
                standing.spec().limits(),
                sandbox.limitsNotEnforced(),
                sandbox.layersMissing(),
                sandbox.violations(),
                sandbox.running(),
                created,
                clock.expires(),
                clock.idleTimeout());
    }

    /** Completed with the reason, in words, when nothing of the sandbox is left. */
    public CompletableFuture<String> ended() {
        return sandbox.end().thenApply(SandboxEndReason::text);
    }

    @Override
    public void close() {
        sandbox.close();
        clock.stop();
    }
}
