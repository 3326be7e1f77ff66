package dev.cordon.cli.command.image;

import dev.cordon.cli.client.HttpExchange;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.StepLine;
import dev.cordon.vm.image.ImageConfig;
import dev.cordon.vm.image.ImageListing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Images of a service. Where it keeps them is not told, so no file is named. */
record ServiceImages(ServiceClient service, StandardStreams stdio) implements ImageGateway {
    @Override
    public List<ImageListing> list() throws ServiceLost, ServiceRefusal {
        List<ImageListing> images = new ArrayList<>();
        for (JsonNode image : service.get("/v1/templates").path("data")) {
            images.add(new ImageListing(
                    image.path("name").asString(""),
                    image.path("origin").asString(""),
                    image.path("description").asString(""),
                    image.path("built").asBoolean(false),
                    image.path("size_bytes").asLong(0),
                    config(image)));
        }
        return images;
    }

    private static ImageConfig config(JsonNode image) {
        Map<String, String> environment = new LinkedHashMap<>();
        image.path("env")
                .properties()
                .forEach(variable ->
                        environment.put(variable.getKey(), variable.getValue().asString("")));
        return new ImageConfig(
                environment,
                image.path("workdir").asString(""),
                image.path("user").asString(""),
                List.of(),
                image.path("argv").valueStream().map(word -> word.asString("")).toList());
    }

    @Override
    public Built build(String name, boolean refresh) throws CommandFailure {
        JsonNode body = ServiceClient.MAPPER.createObjectNode().put("refresh", refresh);
        StepLine progress = new StepLine(stdio);
        JsonNode end;
        try (HttpExchange events = service.open(
                "POST", "/v1/templates/" + ServiceClient.quoted(name) + "/builds", body, "application/x-ndjson")) {
            end = follow(events, progress);
        } finally {
            progress.end();
        }
        if (end.path("event").asString("").equals("error")) {
            throw new CommandFailure(
                    CommandFailure.FAILED,
                    end.path("data").path("detail").asString(""),
                    "remedy: " + end.path("data").path("remedy").asString(""));
        }
        long size = list().stream()
                .filter(image -> image.name().equals(name))
                .mapToLong(ImageListing::size)
                .findFirst()
                .orElse(0);
        return new Built(null, size, "of the service at " + service.where());
    }

    /** The last event. */
    private JsonNode follow(HttpExchange events, StepLine progress) throws ServiceLost {
        for (JsonNode event = events.event(); event != null; event = events.event()) {
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

    @Override
    public Built importArchive(String name, Path archive) throws UsageError {
        throw impossible("import");
    }

    @Override
    public boolean remove(String name) throws UsageError {
        throw impossible("rm");
    }

    /** What a service has no way to do is not done to anything else instead. */
    private UsageError impossible(String what) {
        return new UsageError("cordon image " + what + " is not possible with a service, and there is one at "
                + service.where()
                + "; for images of your own: --local, or CORDON_HOST=none; for the service's: the same on its host,"
                + " as its user, with CORDON_PATHS__STATE set to its state directory");
    }
}
