package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.vm.image.ImageListing;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** {@code cordon image ls} of a service's host. */
final class RemoteImages implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        StringBuilder text = new StringBuilder();
        for (JsonNode image : service.get("/v1/templates").path("data")) {
            ImageListing listing = new ImageListing(
                    image.path("name").asString(""),
                    image.path("origin").asString(""),
                    image.path("description").asString(""),
                    image.path("built").asBoolean(false),
                    image.path("size_bytes").asLong(0));
            text.append(arguments.has(Option.JSON) ? ImageListCommand.json(listing) : ImageListCommand.line(listing));
        }
        stdio.print(text.toString());
        return 0;
    }
}
