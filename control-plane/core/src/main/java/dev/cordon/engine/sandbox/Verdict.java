package dev.cordon.engine.sandbox;

import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.WaitStatus;
import dev.cordon.bindings.wire.SetupStage;
import dev.cordon.bindings.wire.reply.Exited;
import dev.cordon.bindings.wire.reply.Failed;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.engine.SandboxEndReason;
import dev.cordon.job.FieldError;
import dev.cordon.plan.CommandPlan;
import dev.cordon.result.Outcome;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Judges how a job ended, from what the supervisor and the kernel's counters say.
 *
 * @param command     what was asked for
 * @param failed      the sandbox's failure, when there was one
 * @param silence     why the supervisor said nothing, in case it did not
 * @param exited      the command's end, when there was one
 * @param usage       the cgroup's counters, of the time since the command was asked for
 * @param cancelled   whether the caller ended the job
 * @param overOutput  whether it was ended for its output
 * @param overDisk    whether it was ended for what it wrote to a directory of the host
 * @param overMemory  whether it was ended for memory that the kernel counts and does not hold
 * @param violation   the call it was killed for, or empty
 * @param alone       whether no other command of the sandbox ran meanwhile: what the cgroup counted is its own doing
 * @param session     whether the sandbox was there before it and is there after it
 * @param end         why the sandbox ended; null while it stands
 */
public record Verdict(
        CommandPlan command,
        @Nullable Failed failed,
        Outcome.SetupFailed silence,
        @Nullable Exited exited,
        CgroupUsage usage,
        boolean cancelled,
        boolean overOutput,
        boolean overDisk,
        boolean overMemory,
        String violation,
        boolean alone,
        boolean session,
        @Nullable SandboxEndReason end) {
    private static final int SIGKILL = 9;
    private static final int SIGXCPU = 24;
    private static final int SHELL_SIGNAL = 128;
    private static final int SIGXFSZ = 25;

    Outcome outcome() {
        if (failed != null) {
            return setupFailed(failed);
        }
        if (exited == null) {
            return cancelled || (session && end == SandboxEndReason.CLOSED) ? new Outcome.Cancelled() : silence;
        }
        return switch (exited.cause()) {
            case WALL -> new Outcome.TimedOut(Outcome.Clock.WALL);
            case CPU -> new Outcome.TimedOut(Outcome.Clock.CPU);
            case VIOLATION -> violated(Outcome.Breach.TRIPWIRE);
            case BURST -> violated(Outcome.Breach.BURST);
            case NETWORK -> violated(Outcome.Breach.NETWORK);
            case NOT_STARTED -> notStarted(exited);
            case CLOSED -> closed();
            case INIT_LOST -> lost();
            case OWN -> own(exited);
        };
    }

    private Outcome violated(Outcome.Breach breach) {
        return new Outcome.Violated(violation.isEmpty() ? "unknown" : violation, breach);
    }

    static Outcome.SetupFailed silentSupervisor() {
        return new Outcome.SetupFailed(
                "supervisor",
                "",
                "the supervisor ended without a word",
                "look for it in the kernel's log",
                Outcome.Fault.SUPERVISOR_LOST);
    }

    public static Outcome.SetupFailed setupFailed(Failed failed) {
        return setupFailed(failed.stage(), failed.error(), detail(failed));
    }

    private static String detail(Failed failed) {
        return failed.operation().isPresent()
                ? failed.detail() + " (operation " + failed.operation().getAsInt() + ")"
                : failed.detail();
    }

    private static Outcome.SetupFailed setupFailed(SetupStage stage, int error, String detail) {
        return new Outcome.SetupFailed(
                stage.name().toLowerCase(Locale.ROOT),
                error == 0 ? "" : Errno.name(error),
                detail,
                StageRemedies.of(stage));
    }

    private Outcome closed() {
        Outcome.Ending killed = new Outcome.Signaled(SIGKILL);
        if (overDisk) {
            return new Outcome.DiskLimit(killed);
        }
        if (overMemory) {
            return new Outcome.OutOfMemory(killed);
        }
        if (overOutput) {
            return new Outcome.OutputLimit(killed);
        }
        boolean time = end == SandboxEndReason.TIME_TO_LIVE || end == SandboxEndReason.IDLE;
        return time && !cancelled ? new Outcome.TimedOut(Outcome.Clock.WALL) : new Outcome.Cancelled();
    }

    /** With memory.oom.group the kernel kills init together with the job. */
    private Outcome lost() {
        if (usage.outOfMemory()) {
            return new Outcome.OutOfMemory(new Outcome.Signaled(SIGKILL));
        }
        return new Outcome.SetupFailed(
                "init",
                "",
                "the sandbox's init was killed from outside",
                "look for who killed it in the host's log",
                Outcome.Fault.SUPERVISOR_LOST);
    }

    private Outcome notStarted(Exited end) {
        SetupStage stage = end.stage().orElse(SetupStage.EXEC);
        String program = command.argv().getFirst();
        return switch (stage) {
            case EXEC ->
                switch (end.error()) {
                    case Errno.ENOENT, Errno.ENOTDIR -> new Outcome.NotFound(program);
                    default -> new Outcome.NotExecutable(program, Errno.name(end.error()));
                };
            case CWD ->
                new Outcome.Invalid(List.of(new FieldError(
                        "/workdir",
                        command.workdir(),
                        "is not a directory of the sandbox (" + Errno.name(end.error()) + ")",
                        "name one below /workspace or one that a mount brings")));
            default -> setupFailed(stage, end.error(), "starting the command");
        };
    }

    private Outcome own(Exited ended) {
        WaitStatus status = ended.status();
        if (status.signal() == SIGXCPU) {
            return new Outcome.TimedOut(Outcome.Clock.CPU);
        }
        Outcome.Ending ending =
                status.exited() ? new Outcome.Exited(status.code()) : new Outcome.Signaled(status.signal());
        if (overDisk) {
            return new Outcome.DiskLimit(ending);
        }
        if (overOutput) {
            return new Outcome.OutputLimit(ending);
        }
        if (session && cancelled && status.signal() == SIGKILL) {
            return new Outcome.Cancelled();
        }
        if (overMemory || (usage.outOfMemory() && (alone || killed(status)))) {
            return new Outcome.OutOfMemory(ending);
        }
        boolean failed = !(ending instanceof Outcome.Exited exit && exit.code() == 0);
        if (usage.pidsLimitSeen() && (alone || failed)) {
            return new Outcome.PidsLimit(ending);
        }
        boolean full = ended.outOfSpace() || ended.outOfInodes();
        if ((full && (failed || !session)) || status.signal() == SIGXFSZ) {
            return new Outcome.DiskLimit(ending);
        }
        return ending;
    }

    /** By the kernel, or a child of it was and a shell says so. */
    private static boolean killed(WaitStatus status) {
        return status.signal() == SIGKILL || (status.exited() && status.code() == SHELL_SIGNAL + SIGKILL);
    }
}
