package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** {@code cordon ps} of a service: no process of this user holds its sandboxes, so none is named. */
final class RemotePs implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        PsCommand.check(arguments);
        if (!arguments.operands().isEmpty()) {
            return new RemoteJobs(service).show(arguments, stdio);
        }
        if (arguments.has(PsCommand.JOBS)) {
            return new RemoteJobs(service).list(arguments, stdio);
        }
        List<List<String>> boxes = new ArrayList<>();
        for (JsonNode box : new RemoteBoxes(service).all()) {
            JsonNode metrics;
            try {
                metrics = service.get(RemoteBoxes.target(box.path("id").asString("")) + "/metrics");
            } catch (Refusal ended) {
                continue; // while the list was made
            }
            boxes.add(List.of(
                    box.path("id").asString(""),
                    box.path("state").asString(""),
                    box.path("isolation").asString(""),
                    box.path("running_jobs").asString(""),
                    box.path("created_at").asString(""),
                    metrics.path("memory_bytes").asString(""),
                    metrics.path("pids").asString(""),
                    ""));
        }
        stdio.print(arguments.has(Option.JSON) ? PsCommand.json(boxes) : PsCommand.table(boxes, Instant.now()));
        return 0;
    }
}
