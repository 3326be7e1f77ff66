package dev.cordon.cli;

import dev.cordon.audit.AuditReader;
import dev.cordon.audit.AuditRecord;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** {@code cordon audit export}: records as JSON lines, for another program. */
final class AuditExportCommand implements Command, RemoteCommand {

    private static final Option SINCE =
            Option.value("--since", "TIME", "From this time on, such as 2026-01-31T12:00:00Z.");
    private static final Option UNTIL = Option.value("--until", "TIME", "Up to this time.");
    private static final Option OWNER = Option.value("--owner", "NAME", "Only jobs of this owner.");
    private static final Option KIND =
            Option.value("--kind", "KIND", "Only decision, start, violation, escalation, end, admin or retention.");

    @Override
    public String name() {
        return "export";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Print records as they stand in the log, one JSON object a line. All of them can be verified again.");
    }

    @Override
    public List<Option> options() {
        return List.of(SINCE, UNTIL, OWNER, KIND, Option.DIRECTORY, Option.CONFIG, Option.LOCAL, Option.COLOR);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(this);
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        Optional<Instant> since = time(arguments, SINCE);
        Optional<Instant> until = time(arguments, UNTIL);
        AuditReader reader = AuditText.reader(arguments, stdio);
        if (!reader.exists()) {
            return 0;
        }
        reader.read(record -> {
            if (wanted(record, arguments, since, until)) {
                print(record, stdio);
            }
            return true;
        });
        return 0;
    }

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        Optional<Instant> since = time(arguments, SINCE);
        Optional<Instant> until = time(arguments, UNTIL);
        String query =
                RemoteAudit.condition(arguments, OWNER, "owner") + RemoteAudit.condition(arguments, KIND, "kind");
        try {
            new RemoteAudit(service).read(0, query, record -> {
                if (wanted(record, arguments, since, until)) {
                    print(record, stdio);
                }
                return true;
            });
        } catch (Refusal e) {
            if (!RemoteAudit.absent(e)) {
                throw e;
            }
            stdio.message(e.detail());
        }
        return 0;
    }

    private static void print(AuditRecord record, Stdio stdio) throws IOException {
        stdio.print((stdio.outIsTerminal() ? TerminalText.visible(record.line()) : record.line()) + "\n");
    }

    private static boolean wanted(
            AuditRecord record, Arguments arguments, Optional<Instant> since, Optional<Instant> until) {
        if (!arguments.value(OWNER).map(record.text("owner")::equals).orElse(true)
                || !arguments.value(KIND).map(record.text("kind")::equals).orElse(true)) {
            return false;
        }
        if (since.isEmpty() && until.isEmpty()) {
            return true;
        }
        try {
            Instant time = Instant.parse(record.text("time"));
            return since.map(from -> !time.isBefore(from)).orElse(true)
                    && until.map(to -> time.isBefore(to)).orElse(true);
        } catch (DateTimeParseException damaged) {
            return true;
        }
    }

    private static Optional<Instant> time(Arguments arguments, Option option) throws UsageError {
        Optional<String> text = arguments.value(option);
        try {
            return text.map(Instant::parse);
        } catch (DateTimeParseException e) {
            throw new UsageError(option.names().getFirst() + " takes a time such as 2026-01-31T12:00:00Z, not '"
                    + text.orElse("") + "'");
        }
    }
}
