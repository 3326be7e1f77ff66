package dev.cordon.cli.terminal;

import dev.cordon.job.limit.DurationFormat;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.SignalNames;
import dev.cordon.result.Escalation;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a person should be told about the end of a job, one message per line. A program that just exits says it itself. */
public final class EndMessages {

    private EndMessages() {}

    public static List<String> of(Result result) {
        List<String> messages = new ArrayList<>();
        for (Violation violation : result.violations()) {
            String what = violation.syscall().equals(Violation.NETWORK)
                    ? "refused an attempt to reach the network"
                    : "refused system call " + violation.syscall() + " of " + violation.process();
            messages.add(what + (violation.count() == 1 ? "" : ", " + violation.count() + " times"));
        }
        Escalation escalation = result.escalation();
        if (escalation != null) {
            String then = escalation.happened()
                    ? "; run again in a virtual machine, and this is how that ended"
                    : "; not run again in a virtual machine: " + escalation.refusal();
            messages.add("stopped in the jail for its " + escalation.reason() + then);
        }
        cut(messages, "stdout", result.stdout());
        cut(messages, "stderr", result.stderr());
        // A switch over types costs milliseconds at its first use, and most jobs simply exit.
        if (!(result.outcome() instanceof Outcome.Exited)) {
            outcome(messages, result.outcome());
        }
        return messages;
    }

    /** A job that was not started, as the failure of its command. */
    public static CommandFailure failure(Outcome outcome) {
        return new CommandFailure(outcome.exitCode(), of(AwaitedJob.refused(outcome)));
    }

    /**
     * What the host could not do for the job. A limit that was asked for is always told; the rest only to a person, as
     * scripts that want it use --json.
     *
     * @param asked the limits that the command line named
     * @param person whether somebody reads along
     */
    public static List<String> weaknesses(Result result, Set<Limit> asked, boolean person) {
        List<String> messages = new ArrayList<>();
        if (person && !result.applied().layersMissing().isEmpty()) {
            messages.add("layers missing on this host: "
                    + String.join(", ", result.applied().layersMissing()) + "; see cordon doctor");
        }
        List<String> limits = new ArrayList<>();
        for (Limit limit : result.applied().limitsNotEnforced()) {
            if (person || asked.contains(limit)) {
                limits.add(limit.key());
            }
        }
        if (!limits.isEmpty()) {
            messages.add("warning: this host does not hold these limits for the whole job: " + String.join(", ", limits)
                    + "; see cordon doctor, or refuse such hosts with --strict-limits");
        }
        return messages;
    }

    private static void cut(List<String> messages, String name, Output output) {
        if (output.truncated()) {
            messages.add(name + " was cut after " + output.bytes().length + " of " + output.total()
                    + " bytes; --output raises the limit");
        }
    }

    private static void outcome(List<String> messages, Outcome outcome) {
        switch (outcome) {
            case Outcome.Exited ignored -> {}
            case Outcome.Signaled signaled -> messages.add("ended by " + SignalNames.name(signaled.signal()));
            case Outcome.TimedOut timedOut ->
                messages.add(
                        timedOut.clock() == Outcome.Clock.WALL
                                ? "timed out; --timeout raises the limit"
                                : "out of CPU time; --cpu-time raises the limit");
            case Outcome.OutOfMemory ignored -> messages.add("out of memory; --memory raises the limit");
            case Outcome.OutputLimit ignored -> messages.add("killed at the output limit; --output raises it");
            case Outcome.DiskLimit ignored -> messages.add("/workspace or /tmp was full; --disk raises the limit");
            case Outcome.PidsLimit ignored -> messages.add("more processes than allowed; --pids raises the limit");
            case Outcome.Violated violated ->
                messages.add(
                        switch (violated.breach()) {
                            case TRIPWIRE -> "killed for the system call " + violated.syscall();
                            case BURST ->
                                "killed for too many refused system calls, the last of them " + violated.syscall();
                            case NETWORK -> "killed for an attempt to reach the network";
                        });
            case Outcome.Cancelled ignored -> messages.add("cancelled");
            case Outcome.NotFound missing -> messages.add(missing.command() + ": not found in the jail");
            case Outcome.NotExecutable not ->
                messages.add(not.command() + ": cannot be executed in the jail (" + not.error() + ")");
            case Outcome.Denied denied -> {
                denied.reasons().forEach(reason -> messages.add("denied: " + reason));
                if (denied.retryAfter() != null) {
                    messages.add("it may be allowed in " + DurationFormat.format(denied.retryAfter()));
                }
            }
            case Outcome.Invalid invalid ->
                invalid.errors().forEach(error -> messages.add("invalid job: " + error.message()));
            case Outcome.HostUnsupported host ->
                messages.add("this host cannot run the job: " + host.check() + "; " + host.remedy());
            case Outcome.SetupFailed failed ->
                messages.add("the sandbox could not be made: stage " + failed.stage()
                        + (failed.error().isEmpty() ? "" : ", " + failed.error())
                        + " (" + failed.detail() + "); " + failed.remedy());
        }
    }
}
