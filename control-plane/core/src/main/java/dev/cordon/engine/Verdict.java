package dev.cordon.engine;

import dev.cordon.api.FieldError;
import dev.cordon.api.Outcome;
import dev.cordon.bindings.Errno;
import dev.cordon.bindings.WaitStatus;
import dev.cordon.bindings.wire.Exited;
import dev.cordon.bindings.wire.Failed;
import dev.cordon.bindings.wire.Stage;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.plan.Plan;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Judges how a job ended, from what the supervisor and the kernel's counters say.
 *
 * @param plan        what was asked for
 * @param failed      the sandbox's failure, when there was one
 * @param exited      the command's end, when there was one
 * @param usage       the cgroup's counters
 * @param cancelled   whether the caller ended the job
 * @param overOutput  whether it was ended for its output
 * @param overDisk    whether it was ended for what it wrote to a directory of the host
 * @param violation   the call it was killed for, or empty
 */
record Verdict(
        Plan plan,
        @Nullable Failed failed,
        @Nullable Exited exited,
        CgroupUsage usage,
        boolean cancelled,
        boolean overOutput,
        boolean overDisk,
        String violation) {
    private static final int SIGKILL = 9;
    private static final int SIGXCPU = 24;
    private static final int SIGXFSZ = 25;

    Outcome outcome() {
        if (failed != null) {
            return setupFailed(failed.stage(), failed.error(), detail(failed));
        }
        if (exited == null) {
            return cancelled
                    ? new Outcome.Cancelled()
                    : new Outcome.SetupFailed(
                            "supervisor", "", "the supervisor ended without a word", "look for it in the kernel's log");
        }
        return switch (exited.cause()) {
            case WALL -> new Outcome.TimedOut(Outcome.Clock.WALL);
            case CPU -> new Outcome.TimedOut(Outcome.Clock.CPU);
            case VIOLATION -> new Outcome.Violated(violation.isEmpty() ? "unknown" : violation);
            case NOT_STARTED -> notStarted(exited);
            case CLOSED -> closed();
            case INIT_LOST -> lost();
            case OWN -> own(exited);
        };
    }

    private static String detail(Failed failed) {
        return failed.operation().isPresent()
                ? failed.detail() + " (operation " + failed.operation().getAsInt() + ")"
                : failed.detail();
    }

    private static Outcome setupFailed(Stage stage, int error, String detail) {
        return new Outcome.SetupFailed(
                stage.name().toLowerCase(Locale.ROOT), error == 0 ? "" : Errno.name(error), detail, Remedies.of(stage));
    }

    private Outcome closed() {
        Outcome.Ending killed = new Outcome.Signaled(SIGKILL);
        if (overDisk) {
            return new Outcome.DiskLimit(killed);
        }
        return overOutput ? new Outcome.OutputLimit(killed) : new Outcome.Cancelled();
    }

    /** With memory.oom.group the kernel kills init together with the job. */
    private Outcome lost() {
        if (usage.outOfMemory()) {
            return new Outcome.OutOfMemory(new Outcome.Signaled(SIGKILL));
        }
        return new Outcome.SetupFailed(
                "init", "", "the sandbox's init was killed from outside", "look for who killed it in the host's log");
    }

    private Outcome notStarted(Exited end) {
        Stage stage = end.stage().orElse(Stage.EXEC);
        String program = plan.command().argv().getFirst();
        return switch (stage) {
            case EXEC ->
                switch (end.error()) {
                    case Errno.ENOENT, Errno.ENOTDIR -> new Outcome.NotFound(program);
                    default -> new Outcome.NotExecutable(program, Errno.name(end.error()));
                };
            case CWD ->
                new Outcome.Invalid(List.of(new FieldError(
                        "/workdir",
                        plan.command().workdir(),
                        "is no directory of the sandbox (" + Errno.name(end.error()) + ")",
                        "name one below /workspace or one that a mount brings")));
            default -> setupFailed(stage, end.error(), "starting the command");
        };
    }

    private Outcome own(Exited ended) {
        WaitStatus status = ended.status();
        if (status.signal() == SIGXCPU) {
            return new Outcome.TimedOut(Outcome.Clock.CPU);
        }
        Outcome.Ending end =
                status.exited() ? new Outcome.Exited(status.code()) : new Outcome.Signaled(status.signal());
        if (overDisk) {
            return new Outcome.DiskLimit(end);
        }
        if (overOutput) {
            return new Outcome.OutputLimit(end);
        }
        if (usage.outOfMemory()) {
            return new Outcome.OutOfMemory(end);
        }
        if (usage.pidsLimitSeen()) {
            return new Outcome.PidsLimit(end);
        }
        if (ended.outOfSpace() || ended.outOfInodes() || status.signal() == SIGXFSZ) {
            return new Outcome.DiskLimit(end);
        }
        return end;
    }
}
