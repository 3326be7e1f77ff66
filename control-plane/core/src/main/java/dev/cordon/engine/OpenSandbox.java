package dev.cordon.engine;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileAnswer;
import dev.cordon.engine.file.FileEndpoint;
import dev.cordon.engine.supervisor.SandboxLink;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.result.OutputListener;
import dev.cordon.result.UsageSample;
import dev.cordon.result.Violation;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A sandbox that stands and takes commands, any number of them and side by side. Closing it ends everything in it. */
public interface OpenSandbox extends AutoCloseable {
    /** The most commands that one sandbox runs at one time; the supervisor's limit. */
    int MOST_COMMANDS = 256;

    /** What it was made by. */
    SandboxPlan plan();

    /**
     * Starts a command; the sandbox stays. Returns when the command was asked for.
     *
     * @throws SandboxException when the sandbox is gone, is full, or the command's files cannot be written
     */
    Execution exec(ExecPlan command, OutputListener listener) throws SandboxException;

    /**
     * Starts the only command: limits and counters of the sandbox are the command's own, and the sandbox stays, for its files.
     *
     * @throws SandboxException as {@link #exec}
     */
    Execution only(ExecPlan command, OutputListener listener) throws SandboxException;

    /**
     * Starts the last command: the sandbox ends with it, and its result is known when no process of the job is left.
     *
     * @throws SandboxException when it could not be started; the sandbox is closed then
     */
    Execution last(ExecPlan command, OutputListener listener) throws SandboxException;

    /**
     * Asks init for a file. The future fails with {@link IllegalStateException} when the sandbox ends before the answer, and with
     * {@link java.util.concurrent.TimeoutException} when there is none in time.
     *
     * @param request what to do
     */
    CompletableFuture<FileAnswer> request(FileRequest request);

    /** See {@link SandboxLink#receives}. */
    boolean receives();

    /** Whether so much more content has room within the sandbox's memory limit, beside what is on its way into other files. */
    boolean fits(long bytes);

    /** See {@link SandboxLink#written}. */
    CompletableFuture<Integer> written(int id);

    /**
     * The end of a file that a request opened.
     *
     * @param file what the request was answered with; the end's from here on
     */
    FileEndpoint content(Fd file);

    /**
     * Lists a directory that a request opened.
     *
     * @param directory what the request was answered with; the listing's from here on
     * @param path      its path inside
     */
    DirectoryListing listing(Fd directory, String path);

    /** The sandbox's files. */
    FileAccess files();

    /**
     * Kills every process in it that commands left behind; the sandbox stays, for its files. At the level of a process, which has no
     * namespace that tells who belongs to it, they go on until the sandbox is closed.
     */
    void empty();

    /**
     * Stops every process where it is, and the clocks of the commands with them.
     *
     * @throws SandboxException when this host cannot stop processes, or they did not stop
     */
    void pause() throws SandboxException;

    /**
     * Lets them go on.
     *
     * @throws SandboxException when they could not be let go
     */
    void resume() throws SandboxException;

    /** What the sandbox takes now, all its processes together. */
    UsageSample sample();

    /** Commands that have not ended. */
    int running();

    /** Limits that the kernel does not hold for the whole sandbox. */
    List<Limit> limitsNotEnforced();

    /** Layers that the host could not apply. */
    List<String> layersMissing();

    /** Refused system calls, those that belong to no command any more included. */
    List<Violation> violations();

    /** Completed with the reason, once nothing of the sandbox is left; never exceptionally. */
    CompletableFuture<SandboxEndReason> end();

    /** Begins to end the sandbox for a reason; does not wait. The first reason counts. */
    void end(SandboxEndReason reason);

    /** Ends everything and returns when nothing is left. */
    @Override
    void close();
}
