package dev.cordon.cli;

import dev.cordon.audit.AuditReader;
import dev.cordon.audit.AuditRecord;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** {@code cordon audit show}: all records of one job, or one record. */
final class AuditShowCommand implements Command, RemoteCommand {

    private static final int NOT_FOUND = 1;

    @Override
    public String name() {
        return "show";
    }

    @Override
    public List<String> description() {
        return List.of("Print every record of a job, a sandbox or a token, or the record of a sequence number, whole.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.DIRECTORY, Option.CONFIG, Option.LOCAL, Option.JSON, Option.COLOR);
    }

    @Override
    public String operands() {
        return "JOB|SEQUENCE";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(this);
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        String wanted = wanted(arguments);
        AuditReader reader = AuditText.reader(arguments, stdio);
        List<AuditRecord> found = reader.exists()
                ? reader.last(
                        Integer.MAX_VALUE,
                        record -> record.text("job").equals(wanted)
                                || record.text("object").equals(wanted)
                                || record.text("sequence").equals(wanted))
                : List.of();
        return print(found, wanted, arguments, stdio);
    }

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        String wanted = wanted(arguments);
        List<AuditRecord> found = List.of();
        try {
            found = found(wanted, new RemoteAudit(service));
        } catch (Refusal e) {
            if (!RemoteAudit.absent(e)) {
                throw e;
            }
            stdio.message(e.detail());
        }
        return print(found, wanted, arguments, stdio);
    }

    /** A number is a record's place; anything else is what records are about, or what administrators acted on. */
    private static List<AuditRecord> found(String wanted, RemoteAudit log) throws IOException, ServiceLost, Refusal {
        List<AuditRecord> found = new ArrayList<>();
        if (wanted.matches("[1-9][0-9]{0,17}")) {
            long sequence = Long.parseLong(wanted);
            log.read(sequence - 1, "", record -> {
                if (record.sequence() == sequence) {
                    found.add(record);
                }
                return false;
            });
            return found;
        }
        log.read(0, "&job=" + ServiceClient.quoted(wanted), found::add);
        log.read(0, "&kind=admin", record -> {
            if (record.text("object").equals(wanted) && !record.text("job").equals(wanted)) {
                found.add(record);
            }
            return true;
        });
        found.sort(Comparator.comparingLong(AuditRecord::sequence));
        return found;
    }

    private static String wanted(Arguments arguments) throws UsageError {
        if (arguments.operands().size() != 1) {
            throw new UsageError("name one job or one sequence number, such as: cordon audit show 17");
        }
        return arguments.operands().getFirst();
    }

    private static int print(List<AuditRecord> found, String wanted, Arguments arguments, Stdio stdio)
            throws IOException {
        for (AuditRecord record : found) {
            if (arguments.has(Option.JSON)) {
                AuditText.print(record, arguments, stdio);
            } else {
                stdio.print(TerminalText.visible(AuditText.line(record)) + "\n");
                stdio.print("  " + TerminalText.visible(record.line()) + "\n");
            }
        }
        if (found.isEmpty()) {
            stdio.message("the log has nothing about " + wanted);
            return NOT_FOUND;
        }
        return 0;
    }
}
