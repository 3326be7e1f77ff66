package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** {@code cordon tool ls} of a service. */
final class RemoteToolList implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        StringBuilder text = new StringBuilder();
        for (JsonNode tool : service.get("/v1/tools").path("data")) {
            text.append(
                    arguments.has(Option.JSON)
                            ? tool + "\n"
                            : ToolListCommand.line(
                                    tool.path("name").asString(""),
                                    tool.path("description").asString(""),
                                    new TreeSet<>(tool.path("parameters")
                                            .path("properties")
                                            .propertyNames())));
        }
        stdio.print(text.toString());
        return 0;
    }
}
