package dev.cordon.cli;

import dev.cordon.audit.AuditFollower;
import dev.cordon.audit.AuditReader;
import dev.cordon.audit.AuditRecord;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** {@code cordon audit tail}: the last records. */
final class AuditTailCommand implements Command {

    private static final Option COUNT =
            Option.value("-n", "NUMBER", "How many records (20).").or("--lines");
    static final Option FOLLOW =
            Option.flag("-f", "Go on with new ones as they come.").or("--follow");
    static final Option OWNER = Option.value("--owner", "NAME", "Only jobs of this owner.");
    private static final long LOOK_MILLIS = 200;
    private static final int AT_ONCE = 1000;

    @Override
    public String name() {
        return "tail";
    }

    @Override
    public List<String> description() {
        return List.of("Print the last records of the log, the newest last.");
    }

    @Override
    public List<Option> options() {
        return List.of(COUNT, FOLLOW, OWNER, Option.DIRECTORY, Option.CONFIG, Option.LOCAL, Option.JSON, Option.COLOR);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteAuditTail());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        int count = count(arguments);
        AuditReader reader = AuditText.reader(arguments, stdio);
        long[] last = {0};
        List<AuditRecord> there = !reader.exists()
                ? List.of()
                : reader.last(count, record -> {
                    last[0] = record.sequence();
                    return wanted(record, arguments);
                });
        print(there, arguments, stdio);
        AuditFollower log = AuditFollower.after(AuditText.directory(arguments), last[0]);
        while (arguments.has(FOLLOW)) {
            List<AuditRecord> more = log.next(AT_ONCE);
            print(more.stream().filter(record -> wanted(record, arguments)).toList(), arguments, stdio);
            if (more.isEmpty()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
            }
        }
        return 0;
    }

    static int count(Arguments arguments) throws UsageError {
        String text = arguments.value(COUNT).orElse("20");
        if (!text.matches("[0-9]{1,9}")) {
            throw new UsageError("-n takes a number such as 20, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static boolean wanted(AuditRecord record, Arguments arguments) {
        return arguments.value(OWNER).map(record.text("owner")::equals).orElse(true);
    }

    private static void print(List<AuditRecord> records, Arguments arguments, Stdio stdio) throws IOException {
        for (AuditRecord record : records) {
            AuditText.print(record, arguments, stdio);
        }
    }
}
