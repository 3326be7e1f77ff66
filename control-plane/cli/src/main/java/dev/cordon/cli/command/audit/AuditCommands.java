package dev.cordon.cli.command.audit;

import dev.cordon.audit.file.SigningKey;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** {@code cordon audit}: what happened to the jobs of this user. */
public final class AuditCommands {
    private static final CommandOption COUNT =
            CommandOption.value("-n", "NUMBER", "How many records (20).").or("--lines");
    private static final CommandOption FOLLOW =
            CommandOption.flag("-f", "Go on with new ones as they come.").or("--follow");
    private static final CommandOption OWNER = CommandOption.value("--owner", "NAME", "Only jobs of this owner.");
    private static final CommandOption SINCE =
            CommandOption.value("--since", "TIME", "From this time on, such as 2026-01-31T12:00:00Z.");
    private static final CommandOption UNTIL = CommandOption.value("--until", "TIME", "Up to this time.");
    private static final CommandOption KIND = CommandOption.value(
            "--kind", "KIND", "Only decision, start, violation, escalation, end, admin or retention.");

    private AuditCommands() {}

    public static CommandSpec tail() {
        List<CommandOption> options = List.of(
                COUNT,
                FOLLOW,
                OWNER,
                CommandOption.DIRECTORY,
                CommandOption.CONFIG,
                CommandOption.LOCAL,
                CommandOption.JSON,
                CommandOption.COLOR);
        return new CommandSpec("tail", "", AuditCommands::tail, options, """
            Print the last records of the log, the newest last.\
            """);
    }

    private static int tail(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        String text = arguments.value(COUNT).orElse("20");
        if (!text.matches("[0-9]{1,9}")) {
            throw new UsageError("-n takes a number such as 20, not '" + text + "'");
        }
        AuditGateway log = AuditGateway.of(arguments, stdio);
        log.tail(Integer.parseInt(text), filter(arguments), arguments.has(FOLLOW), record -> {
            print(record, arguments, stdio);
            return true;
        });
        return 0;
    }

    private static AuditGateway.Filter filter(ParsedArguments arguments) {
        return new AuditGateway.Filter(
                arguments.value(OWNER).orElse(null), arguments.value(KIND).orElse(null));
    }

    public static CommandSpec show() {
        List<CommandOption> options = List.of(
                CommandOption.DIRECTORY,
                CommandOption.CONFIG,
                CommandOption.LOCAL,
                CommandOption.JSON,
                CommandOption.COLOR);
        return new CommandSpec("show", "JOB|SEQUENCE", AuditCommands::show, options, """
            Print every record of a job, a sandbox or a token, or the record of a sequence number, whole.\
            """);
    }

    private static int show(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        String wanted = arguments.operand("name one job or one sequence number, such as: cordon audit show 17");
        List<AuditRecord> found = AuditGateway.of(arguments, stdio).about(wanted);
        for (AuditRecord record : found) {
            print(record, arguments, stdio);
            if (!arguments.has(CommandOption.JSON)) {
                stdio.print("  " + TerminalText.visible(record.line()) + "\n");
            }
        }
        if (found.isEmpty()) {
            throw new CommandFailure(CommandFailure.NOT_FOUND, "the log has nothing about " + wanted);
        }
        return 0;
    }

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
    private static void print(AuditRecord record, ParsedArguments arguments, StandardStreams stdio) throws IOException {
        String text = arguments.has(CommandOption.JSON) ? record.line() : line(record);
        boolean plain = arguments.has(CommandOption.JSON) && !stdio.outIsTerminal();
        stdio.print((plain ? text : TerminalText.visible(text)) + "\n");
    }

    public static CommandSpec export() {
        List<CommandOption> options = List.of(
                SINCE,
                UNTIL,
                OWNER,
                KIND,
                CommandOption.DIRECTORY,
                CommandOption.CONFIG,
                CommandOption.LOCAL,
                CommandOption.COLOR);
        return new CommandSpec("export", "", AuditCommands::export, options, """
            Print records as they stand in the log, one JSON object a line. All of them can be verified again.\
            """);
    }

    private static int export(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        Instant since = time(arguments, SINCE, Instant.MIN);
        Instant until = time(arguments, UNTIL, Instant.MAX);
        AuditGateway.of(arguments, stdio).read(filter(arguments), record -> {
            if (within(record, since, until)) {
                stdio.print((stdio.outIsTerminal() ? TerminalText.visible(record.line()) : record.line()) + "\n");
            }
            return true;
        });
        return 0;
    }

    private static boolean within(AuditRecord record, Instant since, Instant until) {
        try {
            Instant time = Instant.parse(record.text("time"));
            return !time.isBefore(since) && time.isBefore(until);
        } catch (DateTimeParseException damaged) {
            return true;
        }
    }

    private static Instant time(ParsedArguments arguments, CommandOption option, Instant otherwise) throws UsageError {
        Optional<String> text = arguments.value(option);
        try {
            return text.map(Instant::parse).orElse(otherwise);
        } catch (DateTimeParseException e) {
            throw new UsageError(option.names().getFirst() + " takes a time such as 2026-01-31T12:00:00Z, not '"
                    + text.orElse("") + "'");
        }
    }

    public static CommandSpec keygen() {
        return new CommandSpec("keygen", "FILE", AuditCommands::keygen, List.of(), """
            Make an Ed25519 key that signs the audit log: FILE, which its owner alone may read, and FILE.pub.

            Set audit.signing_key to FILE, or hand it to the service as the systemd credential
            audit-signing-key; keep FILE.pub elsewhere, for cordon audit verify --key. The signatures prove the
            log against whoever does not have FILE; the service's own user has it.\
            """);
    }

    private static int keygen(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        if (arguments.operands().size() != 1 || arguments.operands().getFirst().isEmpty()) {
            throw new UsageError("name one file for the private key, such as audit.key");
        }
        Path file = Path.of(arguments.operands().getFirst());
        try {
            stdio.print(SigningKey.generate(file) + "\n");
            return 0;
        } catch (FileAlreadyExistsException e) {
            throw new UsageError(e.getFile() + ": is there already; name another file");
        } catch (IOException e) {
            throw new UsageError("the key cannot be written: " + e.getMessage());
        }
    }
}
