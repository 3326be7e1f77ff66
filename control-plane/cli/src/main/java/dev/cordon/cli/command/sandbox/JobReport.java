package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The jobs of a service that this caller sees, as text or as JSON. */
final class JobReport {
    private JobReport() {}

    /** The newest ones. */
    static void list(ServiceClient service, int count, boolean json, StandardStreams stdio)
            throws CommandFailure, IOException {
        ObjectNode jobs = service.list("/v1/jobs", count);
        if (json) {
            stdio.printJson(jobs.toString());
            return;
        }
        Instant now = Instant.now();
        StringBuilder text = new StringBuilder(row("ID", "STATE", "OUTCOME", "LEVEL", "AGE", "OWNER"));
        for (JsonNode job : jobs.path("data")) {
            text.append(row(
                    job.path("id").asString(""),
                    job.path("state").asString(""),
                    job.path("outcome").asString("-"),
                    job.path("isolation").path("level").asString("-"),
                    PsCommand.age(job.path("created_at").asString(""), now),
                    job.path("owner").asString("")));
        }
        stdio.print(text.toString());
    }

    private static String row(String... columns) {
        return TerminalText.visible(String.format("%-30s  %-8s  %-16s  %-7s  %8s  %s", (Object[]) columns)) + "\n";
    }

    /** One of them. */
    static void one(ServiceClient service, String id, boolean json, StandardStreams stdio)
            throws CommandFailure, IOException {
        try {
            String text = service.text("GET", "/v1/jobs/" + ServiceClient.quoted(id), null);
            if (json) {
                stdio.printJson(text);
            } else {
                stdio.print(facts(ServiceClient.MAPPER.readTree(text)));
            }
        } catch (ServiceRefusal e) {
            throw absent(e);
        }
    }

    /** A job that is not there is the caller's mistake; any other refusal stays one. */
    static CommandFailure absent(ServiceRefusal refusal) {
        return refusal.is("job_not_found") ? new CommandFailure(CommandFailure.NOT_FOUND, refusal.detail()) : refusal;
    }

    /** What is known of a job, one fact a line; its output is for cordon logs. */
    private static String facts(JsonNode job) {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("id", "state", "outcome", "exit_code", "signal", "owner", "tool", "sandbox_id")) {
            fact(text, name, job.path(name).asString(""));
        }
        JsonNode isolation = job.path("isolation");
        fact(text, "level", isolation.path("level").asString(""));
        for (JsonNode reason : isolation.path("reasons")) {
            fact(text, "reason", reason.asString(""));
        }
        if (isolation.path("escalated").asBoolean(false)) {
            fact(text, "escalated", job.path("escalation").path("reason").asString("yes"));
        }
        String labels = job.path("labels").properties().stream()
                .map(label -> label.getKey() + "=" + label.getValue().asString(""))
                .collect(Collectors.joining(", "));
        fact(text, "labels", labels);
        for (String name : List.of("created_at", "started_at", "finished_at")) {
            fact(text, name, job.path(name).asString(""));
        }
        JsonNode usage = job.path("usage");
        fact(text, "wall", milliseconds(usage.path("wall_ms")));
        fact(text, "cpu", milliseconds(usage.path("cpu_ms")));
        JsonNode memory = usage.path("max_memory_bytes");
        fact(text, "memory", memory.isNumber() ? PsCommand.size(memory.asLong()) : "");
        for (JsonNode violation : job.path("violations")) {
            fact(text, "violation", violation.path("syscall").asString(violation.toString()));
        }
        JsonNode error = job.path("error");
        fact(text, "error", error.isObject() ? error.path("detail").asString(error.toString()) : "");
        return text.toString();
    }

    private static String milliseconds(JsonNode count) {
        return count.isNumber() ? count.asLong() + " ms" : "";
    }

    private static void fact(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(TerminalText.visible(String.format("%-12s  %s", name, value)) + "\n");
        }
    }
}
