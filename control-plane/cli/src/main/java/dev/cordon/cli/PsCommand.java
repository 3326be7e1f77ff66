package dev.cordon.cli;

import dev.cordon.api.ByteSize;
import dev.cordon.api.DurationFormat;
import dev.cordon.config.Config;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** {@code cordon ps}: the sandboxes that processes of this user hold open. */
final class PsCommand implements Command {
    /** What a sandbox tells of itself, in the order of {@link BoxSession}. */
    private static final List<String> FIELDS =
            List.of("id", "state", "isolation", "jobs", "created", "memory_bytes", "pids", "holder_pid");

    static final Option JOBS = Option.flag("--jobs", "List jobs of the service instead, the newest first.");
    private static final Option COUNT = Option.value("-n", "NUMBER", "How many jobs (20).");
    private static final int MOST = 100_000;

    @Override
    public String name() {
        return "ps";
    }

    @Override
    public List<String> description() {
        return List.of(
                "List your open sandboxes, or the jobs of a service.",
                "",
                "Those of this user that cordon shell holds open on this host, or a service's. A service also lists",
                "jobs (--jobs), and tells about one by its whole id (job_...); cordon logs prints its output.");
    }

    @Override
    public List<Option> options() {
        return List.of(JOBS, COUNT, Option.CONFIG, Option.LOCAL, Option.JSON);
    }

    @Override
    public String operands() {
        return "[JOB]";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemotePs());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        check(arguments);
        if (arguments.has(JOBS) || !arguments.operands().isEmpty()) {
            throw LogsCommand.noService("remembers jobs");
        }
        Config config = Opening.config(arguments);
        List<List<String>> boxes = new ArrayList<>();
        for (String id : new Boxes(config).ids()) {
            List<String> told = ask(config, id);
            if (told.size() == FIELDS.size()) {
                boxes.add(told);
            }
        }
        stdio.print(arguments.has(Option.JSON) ? json(boxes) : table(boxes, Instant.now()));
        return 0;
    }

    static void check(Arguments arguments) throws UsageError {
        if (arguments.operands().size() > 1
                || arguments.operands().stream().anyMatch(operand -> !operand.startsWith("job_"))) {
            throw new UsageError("name one job by its id (job_...), or nothing, hint: cordon ps --help");
        }
        int _ = count(arguments);
    }

    static int count(Arguments arguments) throws UsageError {
        String text = arguments.value(COUNT).orElse("20");
        int count = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
        if (count < 1 || count > MOST) {
            throw new UsageError("-n takes a number from 1 to " + MOST + ", such as 20, not '" + text + "'");
        }
        return count;
    }

    /** Empty when it ended while the list was made, or its holder died without a word. */
    private static List<String> ask(Config config, String id) {
        try (BoxClient box = BoxClient.to(config, id)) {
            box.send(BoxFrame.of(BoxFrame.INFO));
            return box.receive().words();
        } catch (IOException gone) {
            return List.of();
        }
    }

    static String table(List<List<String>> boxes, Instant now) {
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

    static String json(List<List<String>> boxes) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeArrayPropertyStart("sandboxes");
            for (List<String> box : boxes) {
                json.writeStartObject();
                for (int i = 0; i < FIELDS.size(); i++) {
                    String value = box.get(i);
                    if (value.matches("[0-9]{1,18}")) {
                        json.writeNumberProperty(FIELDS.get(i), Long.parseLong(value));
                    } else if (value.isEmpty()) {
                        json.writeNullProperty(FIELDS.get(i));
                    } else {
                        json.writeStringProperty(FIELDS.get(i), value);
                    }
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text + "\n";
    }
}
