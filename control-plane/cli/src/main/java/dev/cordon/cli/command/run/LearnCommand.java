package dev.cordon.cli.command.run;

import dev.cordon.Cordon;
import dev.cordon.cli.parse.ColourChoice;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.cli.terminal.JobInterruption;
import dev.cordon.cli.terminal.OutputRelay;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.job.FieldError;
import dev.cordon.job.Job;
import dev.cordon.json.LearntProfileJson;
import dev.cordon.result.LearntProfile;
import dev.cordon.result.ObservedCall;
import dev.cordon.result.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code cordon learn}: watches a trusted command and writes the smallest seccomp profile that allows it. */
public final class LearnCommand {
    private static final CommandOption PROFILE_OUT = CommandOption.value(
            "--profile-out", "FILE", "Where the profile goes; to standard output when this is left out.");

    /** What makes no sense for a command whose calls are watched. */
    private static final List<CommandOption> NOT_HERE = List.of(
            RunOptions.PROFILE,
            RunOptions.ON_VIOLATION,
            RunOptions.NO_ESCALATE,
            RunOptions.STATS,
            RunOptions.DRY_RUN,
            CommandOption.LOCAL,
            RunOptions.ARTIFACT,
            RunOptions.ARTIFACTS_TO);

    private LearnCommand() {}

    public static CommandSpec spec() {
        return new CommandSpec("learn", "COMMAND [ARGUMENT...]", LearnCommand::run, options(), """
            Watch a trusted command and write the smallest seccomp profile that allows it.

            Only for commands that you trust: their system calls are let through while they are watched.
            The jail's namespaces, mounts, limits and Landlock hold them all the same. What the command does
            not do this time is not in the profile, so let it do all that it will have to do: run its tests,
            for instance.

            The report says which calls the default profile would have refused. Calls that it takes for
            unknown (clone3, say) are taken for unknown here, too. Set-user-id files and filters of the
            command's own are refused.\
            """, """

                Exit codes: as those of cordon run. A profile is written when the command came to an end of its
                own, whatever its code.
                Without --profile-out the command's own output goes to standard error.

                Example:
                  cordon learn --profile-out ./tool.json -- python3 -c 'import json, sqlite3'
                  cordon run --profile ./tool.json -- python3 -c 'import json, sqlite3'\
                """);
    }

    private static List<CommandOption> options() {
        List<CommandOption> options = new ArrayList<>();
        options.add(PROFILE_OUT);
        options.addAll(RunOptions.ALL);
        options.removeAll(NOT_HERE);
        return options;
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws UsageError, IOException {
        ColourChoice.of(arguments, stdio.errIsTerminal(), stdio);
        Optional<Path> file = file(arguments);
        JobArguments given = new JobArguments(arguments, stdio);
        Job job = given.job();
        if (!given.errors().isEmpty()) {
            given.errors().stream().map(FieldError::message).forEach(stdio::message);
            return new Outcome.Invalid(given.errors()).exitCode();
        }
        LearntProfile learnt = watch(job, file.isPresent(), arguments, stdio);
        EndMessages.of(learnt.result()).forEach(stdio::message);
        if (arguments.has(CommandOption.JSON)) {
            stdio.print(LearntProfileJson.text(learnt) + "\n");
        } else {
            report(learnt).forEach(stdio::message);
        }
        return deliver(learnt, file, arguments.has(CommandOption.JSON), stdio);
    }

    private static Optional<Path> file(ParsedArguments arguments) throws UsageError {
        try {
            return arguments.value(PROFILE_OUT).map(Path::of);
        } catch (InvalidPathException e) {
            throw new UsageError("--profile-out: " + e.getReason() + "; name a file of this host");
        }
    }

    private static LearntProfile watch(Job job, boolean hasFile, ParsedArguments arguments, StandardStreams stdio)
            throws IOException {
        boolean raw = arguments.has(RunOptions.RAW);
        boolean json = arguments.has(CommandOption.JSON);
        OutputRelay relay = hasFile && !json ? new OutputRelay(stdio, raw) : OutputRelay.aside(stdio, raw);
        try (JobInterruption interruption = new JobInterruption();
                Cordon cordon = CordonOpening.recorded(arguments, stdio)) {
            Thread watching = Thread.currentThread();
            interruption.cancels(watching::interrupt);
            relay.whenGone(watching::interrupt);
            LearntProfile learnt = cordon.learn(job, relay);
            relay.finish();
            return learnt;
        }
    }

    private static List<String> report(LearntProfile learnt) {
        List<String> lines = new ArrayList<>();
        long learntCalls = learnt.calls().stream()
                .filter(ObservedCall::learnt)
                .map(ObservedCall::name)
                .distinct()
                .count();
        if (learnt.complete()) {
            lines.add("learnt " + learntCalls + " system calls");
        }
        List<ObservedCall> refused = learnt.refusedByDefault();
        lines.add(
                refused.isEmpty()
                        ? "the default profile would have refused none of them"
                        : "the default profile would have refused:");
        for (ObservedCall call : refused) {
            lines.add("  " + call.text() + ", by " + call.process() + ": " + how(call));
        }
        return lines;
    }

    private static String how(ObservedCall call) {
        String kept = call.learnt() ? "in the profile, is it needed?" : "not in the profile";
        return switch (call.byDefault()) {
            case ALLOWED -> "allowed";
            case REFUSED -> "refused; " + kept;
            case TRIPWIRE -> "a tripwire; " + kept;
            case UNKNOWN -> "taken for unknown, also here; " + kept;
        };
    }

    private static int deliver(LearntProfile learnt, Optional<Path> file, boolean json, StandardStreams stdio)
            throws IOException {
        int code = learnt.result().outcome().exitCode();
        if (!learnt.complete()) {
            stdio.message("no profile: the command did not come to an end of its own");
            return code;
        }
        if (code != 0) {
            stdio.message("the command ended with " + code + ": was that all that it has to do?");
        }
        if (file.isEmpty()) {
            if (!json) {
                stdio.print(learnt.profile());
            }
            return code;
        }
        try {
            Files.writeString(file.get(), learnt.profile());
        } catch (IOException e) {
            stdio.message("the profile cannot be written to " + file.get() + ": " + e.getMessage());
            return 1;
        }
        stdio.message("the profile is in " + file.get() + "; use it with: cordon run --profile " + usable(file.get()));
        return code;
    }

    /** A name without a slash would be taken for one of Cordon's own profiles. */
    private static String usable(Path file) {
        String text = file.toString();
        return text.indexOf('/') >= 0 ? text : "./" + text;
    }
}
