package dev.cordon.cli;

import dev.cordon.api.ByteSize;
import dev.cordon.cli.service.Exchange;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code cordon image build} by a service, among its own images. Where it keeps them is not told, so no file is named. */
final class RemoteImageBuild implements RemoteCommand {
    private static final int FAILED = 125;

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        String name = ImageBuildCommand.image(arguments);
        ObjectNode body =
                ServiceClient.MAPPER.createObjectNode().put("refresh", arguments.has(ImageBuildCommand.REFRESH));
        StepLine progress = new StepLine(stdio);
        JsonNode end;
        try (Exchange events = service.open(
                "POST", "/v1/templates/" + ServiceClient.quoted(name) + "/builds", body, "application/x-ndjson")) {
            end = follow(events, progress, service);
        } finally {
            progress.end();
        }
        if (end.path("event").asString("").equals("error")) {
            stdio.message(end.path("data").path("detail").asString(""));
            stdio.message("remedy: " + end.path("data").path("remedy").asString(""));
            return FAILED;
        }
        long size = size(name, service);
        stdio.print(
                arguments.has(Option.JSON)
                        ? ServiceClient.MAPPER
                                        .createObjectNode()
                                        .put("name", name)
                                        .putNull("key")
                                        .put("size", size)
                                + "\n"
                        : name + ": " + ByteSize.bytes(size) + ", of the service at " + service.where() + "\n");
        return 0;
    }

    /** The last event. */
    private static JsonNode follow(Exchange events, StepLine progress, ServiceClient service) throws ServiceLost {
        for (Optional<String> line = events.line(); line.isPresent(); line = events.line()) {
            if (line.get().isBlank()) {
                continue;
            }
            JsonNode event;
            try {
                event = ServiceClient.MAPPER.readTree(line.get());
            } catch (JacksonException e) {
                throw new ServiceLost("the service at " + service.where() + " sent an event that is not understood");
            }
            JsonNode data = event.path("data");
            switch (event.path("event").asString("")) {
                case "progress" ->
                    progress.step(
                            data.path("step").asInt(1),
                            data.path("of").asInt(1),
                            data.path("what").asString(""));
                case "exit", "error" -> {
                    return event;
                }
                default -> {} // what a newer service tells besides
            }
        }
        throw new ServiceLost("the service at " + service.where() + " did not tell how the build ended");
    }

    private static long size(String name, ServiceClient service) throws ServiceLost, Refusal {
        for (JsonNode image : service.get("/v1/templates").path("data")) {
            if (image.path("name").asString("").equals(name)) {
                return image.path("size_bytes").asLong(0);
            }
        }
        return 0;
    }
}
