package dev.cordon.cli;

import dev.cordon.audit.AuditReader;
import dev.cordon.audit.AuditRecord;
import java.io.IOException;
import java.util.List;

/** {@code cordon audit show}: all records of one job, or one record. */
final class AuditShowCommand implements Command {

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
        return List.of(AuditText.DIRECTORY, Option.CONFIG, Option.JSON, Option.COLOR);
    }

    @Override
    public String operands() {
        return "JOB|SEQUENCE";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        if (arguments.operands().size() != 1) {
            throw new UsageError("name one job or one sequence number, such as: cordon audit show 17");
        }
        String wanted = arguments.operands().getFirst();
        AuditReader reader = AuditText.reader(arguments, stdio);
        List<AuditRecord> found = reader.exists()
                ? reader.last(
                        Integer.MAX_VALUE,
                        record -> record.text("job").equals(wanted)
                                || record.text("object").equals(wanted)
                                || record.text("sequence").equals(wanted))
                : List.of();
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
