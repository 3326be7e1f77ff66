package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The jobs of a service that this caller sees: {@code cordon ps --jobs}, and one of them. */
record RemoteJobs(ServiceClient service) {
    private static final int PAGE = 100;
    private static final int NOT_THERE = 1;

    /** The newest ones, in the API's shape: with a cursor where there are more. */
    ObjectNode newest(int count, String query) throws ServiceLost, Refusal {
        ObjectNode answer = ServiceClient.MAPPER.createObjectNode();
        ArrayNode data = answer.putArray("data");
        String cursor = "";
        do {
            JsonNode page = service.get("/v1/jobs?limit=" + Math.min(PAGE, count - data.size()) + query
                    + (cursor.isEmpty() ? "" : "&cursor=" + ServiceClient.quoted(cursor)));
            page.path("data").forEach(data::add);
            cursor = page.path("next_cursor").asString("");
        } while (!cursor.isEmpty() && data.size() < count);
        return answer.put("next_cursor", cursor.isEmpty() ? null : cursor);
    }

    int list(Arguments arguments, Stdio stdio) throws UsageError, IOException, ServiceLost, Refusal {
        ObjectNode jobs = newest(PsCommand.count(arguments), "");
        if (arguments.has(Option.JSON)) {
            stdio.print(json(jobs.toString(), stdio));
            return 0;
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
        return 0;
    }

    private static String row(String... columns) {
        return TerminalText.visible(String.format("%-30s  %-8s  %-16s  %-7s  %8s  %s", (Object[]) columns)) + "\n";
    }

    int show(Arguments arguments, Stdio stdio) throws IOException, ServiceLost, Refusal {
        String text;
        try {
            text = service.text(
                    "GET",
                    "/v1/jobs/" + ServiceClient.quoted(arguments.operands().getFirst()),
                    null);
        } catch (Refusal e) {
            if (!e.code().equals("job_not_found")) {
                throw e;
            }
            stdio.message(e.detail());
            return NOT_THERE;
        }
        stdio.print(arguments.has(Option.JSON) ? json(text, stdio) : facts(ServiceClient.MAPPER.readTree(text)));
        return 0;
    }

    private static String json(String text, Stdio stdio) {
        return (stdio.outIsTerminal() ? TerminalText.json(text) : text) + "\n";
    }

    /** What is known of a job, one fact a line; its output is for cordon logs. */
    static String facts(JsonNode job) {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("id", "state", "outcome", "exit_code", "signal", "owner", "tool", "sandbox_id")) {
            fact(text, name, job.path(name).asString(""));
        }
        JsonNode isolation = job.path("isolation");
        fact(text, "level", isolation.path("level").asString(""));
        fact(text, "reason", isolation.path("reason").asString(""));
        if (isolation.path("escalated").asBoolean(false)) {
            fact(text, "escalated", job.path("escalation").path("reason").asString("yes"));
        }
        List<String> labels = new ArrayList<>();
        job.path("labels")
                .properties()
                .forEach(label ->
                        labels.add(label.getKey() + "=" + label.getValue().asString("")));
        fact(text, "labels", String.join(", ", labels));
        for (String name : List.of("created_at", "started_at", "finished_at")) {
            fact(text, name, job.path(name).asString(""));
        }
        JsonNode usage = job.path("usage");
        fact(text, "wall", milliseconds(usage.path("wall_ms")));
        fact(text, "cpu", milliseconds(usage.path("cpu_ms")));
        JsonNode memory = usage.path("max_memory_bytes");
        fact(text, "memory", memory.isNumber() ? PsCommand.size(memory.asLong()) : "");
        for (JsonNode violation : job.path("violations")) {
            fact(text, "violation", violation.path("detail").asString(violation.toString()));
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
            text.append(TerminalText.visible(String.format("%-12s  %s", name, value)))
                    .append('\n');
        }
    }
}
