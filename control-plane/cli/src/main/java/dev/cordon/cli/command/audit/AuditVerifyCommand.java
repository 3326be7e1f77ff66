package dev.cordon.cli.command.audit;

import dev.cordon.audit.verify.LogVerification;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code cordon audit verify}: whether the log is as it was written. */
public final class AuditVerifyCommand {
    private static final CommandOption HEAD = CommandOption.list(
            "--head",
            "SEQUENCE:SHA256",
            "A record that was printed by an earlier verify and kept elsewhere. Repeatable.");
    static final CommandOption HEADS = CommandOption.list(
            "--heads",
            "FILE",
            "Every SEQUENCE:SHA256 in this file, such as lines of syslog about this log. Repeatable.");
    static final CommandOption JOURNAL =
            CommandOption.flag("--journal", "Every head of this log that the system's journal has.");
    static final CommandOption SINCE = CommandOption.value(
            "--since",
            "TIME",
            "Of the journal only what is newer, as journalctl(1) reads it: the log was begun anew then.");
    static final CommandOption KEY = CommandOption.list(
            "--key", "FILE", "The public key of the signatures in the log (cordon audit keygen). Repeatable.");

    /** What is judged by this process alone. */
    static final List<CommandOption> HERE = List.of(HEADS, JOURNAL, SINCE, KEY);

    private AuditVerifyCommand() {}

    public static CommandSpec spec() {
        List<CommandOption> options = List.of(
                HEAD,
                HEADS,
                JOURNAL,
                SINCE,
                KEY,
                CommandOption.DIRECTORY,
                CommandOption.CONFIG,
                CommandOption.LOCAL,
                CommandOption.JSON,
                CommandOption.COLOR);
        return new CommandSpec("verify", "", AuditVerifyCommand::run, options, """
            Check every record of the log, and name the first that is not as it was written.

            Changed, removed and swapped records are found by the chain of hashes, a cut end by the head file,
            files that are gone from the beginning by the record that audit.keep leaves of what it removes.
            Whoever may write the log can cut it or write it anew together with its head; without more, the
            log is consistent, not anchored. Against that: heads that were kept elsewhere, as the journal
            keeps those that a service sends (--journal), a file has them (--heads) or this command printed
            them (--head); and signatures, against whoever has not the key (--key). What comes after the last
            record that one of them vouches for is consistent, no more. Ends with 1 when something is wrong.\
            """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        List<LogVerifier.Anchor> heads = anchors(arguments);
        AuditGateway.Verified told = AuditGateway.of(arguments, stdio).verify(heads);
        String missing = told.missing();
        if (arguments.has(CommandOption.JSON)) {
            stdio.print(told.json() + "\n");
        } else if (missing == null) {
            stdio.print(text(told.found()));
        }
        if (missing != null) {
            stdio.message(missing);
        }
        return told.found().intact() ? 0 : CommandFailure.NOT_FOUND;
    }

    private static List<LogVerifier.Anchor> anchors(ParsedArguments arguments) throws UsageError {
        List<LogVerifier.Anchor> anchors = new ArrayList<>();
        for (String head : arguments.values(HEAD)) {
            try {
                anchors.add(LogVerifier.Anchor.parse(head));
            } catch (IllegalArgumentException e) {
                throw new UsageError("--head: " + e.getMessage());
            }
        }
        return anchors;
    }

    /** Only a head shows that nothing was cut off: a log that ends with a signature looks the same when more came after it. */
    private static String verdict(LogVerification found) {
        LogVerification.Proof proof = found.proof();
        if (found.records() == 0) {
            return "empty, not anchored";
        }
        if (proof.anchoredTo() >= found.last()) {
            return "intact";
        }
        if (proof.signedTo() > proof.anchoredTo()) {
            return "consistent, signed up to " + proof.signedTo();
        }
        return proof.anchoredTo() > 0 ? "consistent" : "consistent, not anchored";
    }

    private static String text(LogVerification found) {
        StringBuilder text = new StringBuilder();
        found.notes().forEach(note -> text.append("note: " + TerminalText.visible(note) + "\n"));
        LogVerification.Breakage breakage = found.breakage();
        if (breakage != null) {
            String where = TerminalText.visible(breakage.file().getFileName() + " line " + breakage.line());
            return text + "BROKEN at " + where + ": " + TerminalText.visible(breakage.reason()) + "\n" + found.records()
                    + " records before it hold\n";
        }
        LogVerification.Removal removal = found.removal();
        text.append(verdict(found)).append(removal == null ? "" : " from record " + found.first() + " on");
        text.append(": " + found.records() + " records");
        text.append(found.records() == 0 ? "" : ", " + found.first() + " to " + found.last());
        text.append(", in " + found.files() + (found.files() == 1 ? " file\n" : " files\n"));
        if (removal != null) {
            text.append(removal.files() + (removal.files() == 1 ? " older file" : " older files")
                    + " with the records before it were removed by retention, the last at "
                    + TerminalText.visible(removal.time()) + "\n");
        }
        LogVerification.Proof proof = found.proof();
        if (proof.anchoredTo() > 0) {
            text.append("anchored up to record " + proof.anchoredTo());
            text.append(proof.anchoredTo() >= found.last() ? "\n" : "; those after it are consistent, not anchored\n");
        }
        if (proof.signedTo() > proof.anchoredTo()) {
            text.append("signed up to record " + proof.signedTo()
                    + "; signatures do not show whether records after it were cut off, heads do\n");
        }
        return text
                + (found.records() == 0
                        ? ""
                        : "head " + found.last() + ":" + TerminalText.visible(found.hash()) + "\n");
    }
}
