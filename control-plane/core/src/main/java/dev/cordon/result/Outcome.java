package dev.cordon.result;

import dev.cordon.job.FieldError;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a job ended. Whose doing it was is told by the type: {@link Ended} is the program's, {@link Refused} the caller's or the operator's,
 * {@link Failed} the sandbox's. The exit code of the command line, the HTTP status and the name in JSON are fixed here and nowhere else.
 */
public sealed interface Outcome {
    /** The program ran, or was asked to and could not be executed; this is its own doing. */
    sealed interface Ended extends Outcome {}

    /** Nothing was started, because the job was not understood or not allowed. */
    sealed interface Refused extends Outcome {}

    /** The sandbox could not be made. The program did not run. */
    sealed interface Failed extends Outcome {
        /** What kind of failure it is. */
        Fault fault();

        /** What to do about it. */
        String remedy();
    }

    /** How the program's main process itself ended. */
    sealed interface Ending extends Ended {}

    /**
     * The program ended by itself.
     *
     * @param code its exit code, 0 to 255
     */
    record Exited(int code) implements Ending {
        /** Checks the range. */
        public Exited {
            if (code < 0 || code > 255) {
                throw new IllegalArgumentException("an exit code is between 0 and 255, not " + code);
            }
        }
    }

    /**
     * The program ended by a signal that Cordon did not send.
     *
     * @param signal its number
     */
    record Signaled(int signal) implements Ending {
        /** Checks the range. */
        public Signaled {
            if (signal < 1 || signal > 64) {
                throw new IllegalArgumentException("a signal is between 1 and 64, not " + signal);
            }
        }
    }

    /**
     * A time limit ended the program.
     *
     * @param clock which one
     */
    record TimedOut(Clock clock) implements Ended {}

    /** The clocks that have a limit. */
    enum Clock {
        /** Time that passed. */
        WALL,
        /** CPU time that was used. */
        CPU
    }

    /**
     * The kernel ran out of the job's memory and killed in it.
     *
     * @param end how the program itself ended
     */
    record OutOfMemory(Ending end) implements Ended {}

    /**
     * The program was killed for the amount that it wrote.
     *
     * @param end how the program itself ended
     */
    record OutputLimit(Ending end) implements Ended {}

    /**
     * A writable file system of the job was full when the program ended. One that got ENOSPC and gave the space back by its end, such as by
     * files that were deleted and still open, has an ordinary end: the limit held, and the program was told.
     *
     * @param end how the program itself ended
     */
    record DiskLimit(Ending end) implements Ended {}

    /**
     * The job wanted more processes than it may have.
     *
     * @param end how the program itself ended
     */
    record PidsLimit(Ending end) implements Ended {}

    /**
     * The program was killed for a system call, or for an attempt to reach the network.
     *
     * @param syscall the call's name, the last of a burst; {@link Violation#NETWORK} when it was none
     * @param breach  what for
     */
    record Violated(String syscall, Breach breach) implements Ended {
        /** Killed for a tripwire. */
        public Violated(String syscall) {
            this(syscall, Breach.TRIPWIRE);
        }
    }

    /** What a job is killed for. */
    enum Breach {
        /** A system call of the tripwire set. */
        TRIPWIRE,
        /** Too many refused system calls, where the policy watches the job. */
        BURST,
        /** An attempt to reach the network, where the policy watches the job. */
        NETWORK;

        /** The name in JSON. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The caller ended the job. */
    record Cancelled() implements Ended {}

    /**
     * The jail has no such command.
     *
     * @param command what was asked for
     */
    record NotFound(String command) implements Ended {}

    /**
     * The command is there but cannot be executed.
     *
     * @param command what was asked for
     * @param error   the kernel's answer, such as {@code EACCES}
     */
    record NotExecutable(String command, String error) implements Ended {}

    /**
     * The policy does not allow the job.
     *
     * @param reasons    why, at least one
     * @param retryAfter when the same job may be allowed; null when waiting does not help
     * @param outOfRange whether the level that the policy wants is above the highest that the job allows, and nothing else is wrong
     */
    record Denied(List<String> reasons, @Nullable Duration retryAfter, boolean outOfRange) implements Refused {
        /** Copies the list. */
        public Denied {
            reasons = List.copyOf(reasons);
        }

        /** A denial that waiting does not change. */
        public Denied(List<String> reasons) {
            this(reasons, null);
        }

        /** A denial that waiting may change. */
        public Denied(List<String> reasons, @Nullable Duration retryAfter) {
            this(reasons, retryAfter, false);
        }
    }

    /**
     * The job was not understood.
     *
     * @param errors every field error, at least one
     */
    record Invalid(List<FieldError> errors) implements Refused {
        /** Copies the list. */
        public Invalid {
            errors = List.copyOf(errors);
        }
    }

    /**
     * The host lacks something that the job's isolation or its strict limits need.
     *
     * @param check  what was looked for
     * @param remedy what the operator can do
     * @param fault  what kind of lack it is
     */
    record HostUnsupported(String check, String remedy, Fault fault) implements Failed {
        /** Nothing that a caller could tell from another lack. */
        public HostUnsupported(String check, String remedy) {
            this(check, remedy, Fault.OTHER);
        }
    }

    /**
     * A layer could not be applied.
     *
     * @param stage  the step that failed
     * @param error  the kernel's answer, such as {@code EPERM}; empty when a check failed without one
     * @param detail what the step was doing
     * @param remedy what the operator can do
     * @param fault  what kind of failure it is
     */
    record SetupFailed(String stage, String error, String detail, String remedy, Fault fault) implements Failed {
        /** The kernel's answer tells whether descriptors were missing. */
        public SetupFailed(String stage, String error, String detail, String remedy) {
            this(stage, error, detail, remedy, Fault.of(error));
        }
    }

    /** Kinds of failures on which a caller acts in another way. */
    enum Fault {
        /** The audit log cannot be written: no job runs until it can, then the same job does. */
        AUDIT_LOG,

        /** This process or the host has no descriptors left: a later attempt may succeed. */
        DESCRIPTORS,

        /** Whoever watched over the job is gone: it may have run in part. */
        SUPERVISOR_LOST,

        /** Everything else. */
        OTHER;

        /** By its name in JSON; what another version calls otherwise is something else. */
        public static Fault named(String name) {
            return Arrays.stream(values())
                    .filter(fault -> fault.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElse(OTHER);
        }

        /** By the kernel's answer, such as {@code EMFILE}; empty for none. */
        public static Fault of(String errno) {
            return errno.equals("EMFILE") || errno.equals("ENFILE") ? DESCRIPTORS : OTHER;
        }
    }

    /** The exit code of {@code cordon run}. */
    default int exitCode() {
        return switch (this) {
            case Exited exited -> exited.code();
            case Signaled signaled -> 128 + signaled.signal();
            case OutOfMemory memory -> memory.end().exitCode();
            case OutputLimit output -> output.end().exitCode();
            case DiskLimit disk -> disk.end().exitCode();
            case PidsLimit pids -> pids.end().exitCode();
            case TimedOut ignored -> 124;
            case Violated ignored -> 159;
            case Cancelled ignored -> 130;
            case NotFound ignored -> 127;
            case NotExecutable ignored -> 126;
            case Denied ignored -> 122;
            case Invalid ignored -> 121;
            case HostUnsupported ignored -> 123;
            case SetupFailed ignored -> 125;
        };
    }

    /** The status of the HTTP answer that carries it. */
    default int httpStatus() {
        return switch (this) {
            case Ended ignored -> 200;
            case Denied denied -> denied.outOfRange() ? 409 : denied.retryAfter() == null ? 403 : 429;
            case Invalid ignored -> 400;
            case HostUnsupported ignored -> 503;
            case SetupFailed ignored -> 500;
        };
    }

    /** The name in JSON. */
    default String label() {
        return switch (this) {
            case Exited exited -> exited.code() == 0 ? "ok" : "nonzero_exit";
            case Signaled ignored -> "signaled";
            case TimedOut ignored -> "timed_out";
            case OutOfMemory ignored -> "out_of_memory";
            case OutputLimit ignored -> "output_limit";
            case DiskLimit ignored -> "disk_limit";
            case PidsLimit ignored -> "pids_limit";
            case Violated ignored -> "policy_violation";
            case Cancelled ignored -> "canceled";
            case NotFound ignored -> "not_found";
            case NotExecutable ignored -> "not_executable";
            case Denied ignored -> "denied";
            case Invalid ignored -> "invalid";
            case HostUnsupported ignored -> "unsupported";
            case SetupFailed ignored -> "sandbox_error";
        };
    }
}
