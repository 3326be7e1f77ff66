package dev.cordon.interpreter;

import dev.cordon.result.Outcome;

/** The end of an interpreter in words that follow "the interpreter". */
final class ExitText {
    static final int SIGKILL = 9;
    private static final int SIGSEGV = 11;
    private static final int SIGSYS = 31;

    private ExitText() {}

    static String of(int signal) {
        return switch (signal) {
            case SIGKILL -> "was killed (signal 9), most often for want of memory";
            case SIGSEGV -> "crashed (signal 11, segmentation fault)";
            case SIGSYS -> "was killed for a system call (signal 31)";
            default -> "was killed by signal " + signal;
        };
    }

    /** As the sandbox tells it, when the keeper is gone, too. */
    static String of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited exited -> "is gone with its keeper (exit code " + exited.code() + ")";
            case Outcome.Signaled signaled -> "is gone with its keeper (signal " + signaled.signal() + ")";
            case Outcome.OutOfMemory ignored -> "was killed for want of memory; open the sandbox with more";
            case Outcome.TimedOut ignored -> "reached the longest time that a command may run";
            case Outcome.Violated violated -> "was killed for the system call " + violated.syscall();
            case Outcome.Cancelled ignored -> "was ended with its sandbox or by the caller";
            case Outcome.PidsLimit ignored -> "ran into the limit of processes";
            case Outcome.DiskLimit ignored -> "ran into the disk limit";
            case Outcome.OutputLimit ignored -> "was killed at the output limit";
            case Outcome.NotFound missing -> "could not be started: " + missing.command() + " is not in the sandbox";
            case Outcome.NotExecutable not ->
                "could not be started: " + not.command() + " cannot be executed (" + not.error() + ")";
            case Outcome.Denied denied -> "could not be started: " + String.join("; ", denied.reasons());
            case Outcome.Invalid invalid -> "could not be started: " + invalid.errors();
            case Outcome.HostUnsupported host -> "could not be started: " + host.check() + "; " + host.remedy();
            case Outcome.SetupFailed failed -> "is gone with its sandbox: " + failed.detail() + "; " + failed.remedy();
        };
    }
}
