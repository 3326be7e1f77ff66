package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.client.HttpExchange;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import dev.cordon.host.HostTerminal;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code cordon top}: what runs at a service now. One thread draws; one waits for changes, and one for each job follows what it takes. */
public final class TopCommand {
    private static final int MOST_JOBS = 100;
    private static final long FIRST_SAMPLES_MILLIS = 5_000;
    private static final long PERIOD_MILLIS = 1_000;
    private static final int LINES_AROUND = 3;
    private static final String HOME = "\033[H";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST_OF_SCREEN = "\033[J";

    private Map<String, JobLoad> loads = new HashMap<>();

    private TopCommand() {}

    public static CommandSpec spec() {
        return new CommandSpec("top", "", new TopCommand()::run, List.of(CommandOption.JSON), """
            Watch the running jobs and open sandboxes of a service, with their CPU and memory.

            On a terminal the table is drawn anew whenever a job changes, and each second; Ctrl-C ends it.
            Elsewhere, and with --json, it is printed once.\
            """);
    }

    private int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        ServiceClient service = ServiceChoice.service(arguments, stdio, "runs jobs that others can watch");
        boolean json = arguments.has(CommandOption.JSON);
        try {
            if (stdio.outIsTerminal() && !json) {
                return live(stdio, service);
            }
            ObjectNode now = look(service);
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FIRST_SAMPLES_MILLIS);
            for (JobLoad load : loads.values()) {
                boolean _ = load.known().await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            stdio.print(json ? json(now) : String.join("\n", table(now)) + "\n");
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private int live(StandardStreams stdio, ServiceClient service)
            throws IOException, ServiceLost, ServiceRefusal, InterruptedException {
        Optional<HostTerminal> terminal = HostTerminal.of(1);
        Semaphore changed = new Semaphore(0);
        Thread.ofVirtual().name("cordon-changes").start(() -> changes(service, changed));
        while (true) {
            List<String> table = table(look(service));
            int rows = terminal.map(found -> found.size().rows()).orElse(Integer.MAX_VALUE);
            int columns = terminal.map(found -> found.size().columns()).orElse(Integer.MAX_VALUE);
            int fit = Math.max(1, rows - LINES_AROUND);
            StringBuilder screen = new StringBuilder(HOME);
            for (String line : table.subList(0, Math.min(fit, table.size()))) {
                screen.append(line, 0, Math.min(columns, line.length()))
                        .append(REST_OF_LINE)
                        .append("\r\n");
            }
            if (table.size() > fit) {
                screen.append("and ").append(table.size() - fit).append(" more").append(REST_OF_LINE);
            }
            stdio.print(screen.append(REST_OF_SCREEN).toString());
            boolean _ = changed.tryAcquire(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            int _ = changed.drainPermits();
        }
    }

    /** Ends with the service; the one that draws notices that, too. */
    private static void changes(ServiceClient service, Semaphore changed) {
        try (HttpExchange events = service.open("GET", "/v1/events", null, "text/event-stream")) {
            for (Optional<String> line = events.line(); line.isPresent(); line = events.line()) {
                if (line.get().startsWith("data:")) {
                    changed.release();
                }
            }
        } catch (ServiceLost | ServiceRefusal gone) {
            return;
        }
    }

    /** What runs now; what each takes is in {@link #loads}, of these alone. */
    private ObjectNode look(ServiceClient service) throws ServiceLost, ServiceRefusal {
        Map<String, JobLoad> now = new HashMap<>();
        ObjectNode found = ServiceClient.MAPPER.createObjectNode();
        ArrayNode jobs = found.putArray("jobs");
        for (JsonNode job : service.list("/v1/jobs?state=running", MOST_JOBS).path("data")) {
            String id = job.path("id").asString("");
            JobLoad load = loads.get(id);
            now.put(id, load == null ? JobLoad.of(service, id) : load);
            jobs.add(job);
        }
        ArrayNode boxes = found.putArray("sandboxes");
        for (JsonNode box : ServiceSandboxes.all(service)) {
            String id = box.path("id").asString("");
            JobLoad load = loads.getOrDefault(id, new JobLoad());
            JsonNode metrics = ServiceSandboxes.metrics(service, box);
            if (metrics != null) {
                load.sampled(metrics);
                now.put(id, load);
                boxes.add(box);
            }
        }
        loads = now;
        return found;
    }

    private List<String> table(ObjectNode found) {
        Instant now = Instant.now();
        List<String> lines = new ArrayList<>();
        lines.add(found.path("jobs").size() + " jobs run, "
                + found.path("sandboxes").size() + " sandboxes are open");
        lines.add(row("ID", "STATE", "LEVEL", "AGE", "CPU", "MEMORY", "PIDS", "OWNER"));
        for (JsonNode job : found.path("jobs")) {
            lines.add(row(job, job.path("isolation").path("level").asString("-"), now));
        }
        for (JsonNode box : found.path("sandboxes")) {
            lines.add(row(box, box.path("isolation").asString("-"), now));
        }
        return lines;
    }

    private String row(JsonNode each, String level, Instant now) {
        String id = each.path("id").asString("");
        JobLoad load = loads.getOrDefault(id, new JobLoad());
        return row(
                id,
                each.path("state").asString(""),
                level,
                PsCommand.age(each.path("created_at").asString(""), now),
                load.cpu(),
                load.memory(),
                load.pids(),
                each.path("owner").asString(""));
    }

    private static String row(String... columns) {
        return TerminalText.visible(String.format("%-30s  %-7s  %-7s  %8s  %6s  %10s  %5s  %s", (Object[]) columns));
    }

    /** The API's objects, each with its metrics beside. */
    private String json(ObjectNode found) {
        for (String kind : List.of("jobs", "sandboxes")) {
            for (JsonNode each : found.path(kind)) {
                JobLoad load = loads.get(each.path("id").asString(""));
                ((ObjectNode) each).set("metrics", load == null ? null : load.sample());
            }
        }
        return TerminalText.json(found.toString()) + "\n";
    }
}
