package dev.cordon.cli.command.audit;

import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.cli.parse.Arguments;
import dev.cordon.cli.parse.Option;
import dev.cordon.cli.terminal.Stdio;
import dev.cordon.cli.terminal.TerminalText;
import java.io.IOException;

/** What the commands of {@code cordon audit} have in common. */
final class AuditText {

    private AuditText() {}

    /** A record on one line for people: when, what, which job, how it went. */
    private static String line(AuditRecord record) {
        String about = switch (record.text("kind")) {
            case "decision" -> record.text("decision") + " " + record.text("isolation");
            case "start" -> record.text("isolation") + " " + record.text("program");
            case "violation" ->
                record.text("syscall") + " by " + record.text("process") + " (pid " + record.text("pid") + "), "
                        + record.text("count") + " times";
            case "escalation" -> record.text("from") + " to " + record.text("to") + ": " + record.text("reason");
            case "end" -> ended(record);
            case "admin" -> record.text("act") + " by " + record.text("caller");
            case "retention" ->
                record.text("files") + " files with the records " + record.text("first") + " to " + record.text("last")
                        + " were removed";
            case "checkpoint" -> "signed with the key " + record.text("key");
            default -> "damaged line " + record.number();
        };
        return String.join(
                "  ",
                record.text("sequence"),
                record.text("time"),
                record.text("kind"),
                record.text(record.text("kind").equals("admin") ? "object" : "job"),
                record.text("owner"),
                about);
    }

    private static String ended(AuditRecord record) {
        return record.text("exit_code").isEmpty()
                ? record.text("outcome")
                : record.text("outcome") + ", exit code " + record.text("exit_code");
    }

    /** Prints a record, as text or as it stands in the log; what a job had a hand in cannot move the cursor. */
    static void print(AuditRecord record, Arguments arguments, Stdio stdio) throws IOException {
        String text = arguments.has(Option.JSON) ? record.line() : line(record);
        boolean plain = arguments.has(Option.JSON) && !stdio.outIsTerminal();
        stdio.print((plain ? text : TerminalText.visible(text)) + "\n");
    }
}
