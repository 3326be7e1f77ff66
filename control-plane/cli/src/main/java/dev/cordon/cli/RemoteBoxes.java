package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The sandboxes of a service that this caller sees. */
record RemoteBoxes(ServiceClient service) {
    static String target(String id) {
        return "/v1/sandboxes/" + ServiceClient.quoted(id);
    }

    List<JsonNode> all() throws ServiceLost, Refusal {
        List<JsonNode> boxes = new ArrayList<>();
        String next = "/v1/sandboxes?limit=100";
        while (!next.isEmpty()) {
            JsonNode page = service.get(next);
            page.path("data").forEach(boxes::add);
            String cursor = page.path("next_cursor").asString("");
            next = cursor.isEmpty() ? "" : "/v1/sandboxes?limit=100&cursor=" + ServiceClient.quoted(cursor);
        }
        return boxes;
    }

    /**
     * The one that somebody means by its id or a part of it.
     *
     * @throws UsageError when there is none, or more than one
     */
    String named(String part) throws UsageError, ServiceLost, Refusal {
        List<String> ids = new ArrayList<>();
        all().forEach(box -> ids.add(box.path("id").asString("")));
        return Boxes.named(part, ids);
    }
}
