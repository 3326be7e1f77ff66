package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.json.JsonMembers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** {@code cordon ps}: the sandboxes that are open, and the jobs of a service. */
public final class PsCommand {
    /** What a sandbox tells of itself. */
    static final List<String> FIELDS =
            List.of("id", "state", "isolation", "jobs", "created", "memory_bytes", "pids", "holder_pid");

    private static final CommandOption JOBS =
            CommandOption.flag("--jobs", "List jobs of the service instead, the newest first.");
    private static final CommandOption COUNT = CommandOption.value("-n", "NUMBER", "How many jobs (20).");
    private static final int MOST = 100_000;

    private PsCommand() {}

    public static CommandSpec spec() {
        List<CommandOption> options =
                List.of(JOBS, COUNT, CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.JSON);
        return new CommandSpec("ps", "[JOB]", PsCommand::run, options, """
            List your open sandboxes, or the jobs of a service.

            Those of this user that cordon shell holds open on this host, or a service's. A service also lists
            jobs (--jobs), and tells about one by its whole id (job_...); cordon logs prints its output.\
            """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        List<String> operands = arguments.operands();
        if (operands.size() > 1 || operands.stream().anyMatch(operand -> !operand.startsWith("job_"))) {
            throw new UsageError("name one job by its id (job_...), or nothing, hint: cordon ps --help");
        }
        int count = count(arguments);
        if (arguments.has(JOBS) || !operands.isEmpty()) {
            ServiceClient service = ServiceChoice.service(arguments, stdio, "remembers jobs");
            if (operands.isEmpty()) {
                JobReport.list(service, count, arguments.has(CommandOption.JSON), stdio);
            } else {
                JobReport.one(service, operands.getFirst(), arguments.has(CommandOption.JSON), stdio);
            }
            return 0;
        }
        List<List<String>> boxes = SandboxGateway.of(arguments, stdio).list();
        stdio.print(arguments.has(CommandOption.JSON) ? json(boxes) : table(boxes, Instant.now()));
        return 0;
    }

    private static int count(ParsedArguments arguments) throws UsageError {
        String text = arguments.value(COUNT).orElse("20");
        int count = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
        if (count < 1 || count > MOST) {
            throw new UsageError("-n takes a number from 1 to " + MOST + ", such as 20, not '" + text + "'");
        }
        return count;
    }

    private static String table(List<List<String>> boxes, Instant now) {
        StringBuilder text = new StringBuilder(row("ID", "STATE", "LEVEL", "JOBS", "AGE", "MEMORY", "PIDS"));
        for (List<String> box : boxes) {
            String memory = box.get(5).isEmpty() ? "-" : size(Long.parseLong(box.get(5)));
            text.append(row(
                    box.get(0),
                    box.get(1),
                    box.get(2),
                    box.get(3),
                    age(box.get(4), now),
                    memory,
                    box.get(6).isEmpty() ? "-" : box.get(6)));
        }
        return text.toString();
    }

    /** How long ago a time was, in whole seconds. */
    static String age(String time, Instant now) {
        long seconds = Duration.between(Instant.parse(time), now).toSeconds();
        return DurationFormat.format(Duration.ofSeconds(Math.max(0, seconds)));
    }

    /** In whole KiB: the exact number is for programs, which have --json. */
    static String size(long bytes) {
        return ByteSize.kib((bytes + 1023) / 1024).toString();
    }

    private static String row(String... columns) {
        return String.format("%-30s  %-7s  %-7s  %4s  %8s  %10s  %5s%n", (Object[]) columns);
    }

    private static String json(List<List<String>> boxes) {
        return JsonMembers.text(json -> json.objects("sandboxes", boxes, box -> {
                    for (int i = 0; i < FIELDS.size(); i++) {
                        String value = box.get(i);
                        if (value.matches("[0-9]{1,18}")) {
                            json.put(FIELDS.get(i), Long.parseLong(value));
                        } else {
                            json.put(FIELDS.get(i), value.isEmpty() ? null : value);
                        }
                    }
                }))
                + "\n";
    }
}
