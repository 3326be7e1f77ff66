package dev.cordon.server.route;

import dev.cordon.job.limit.DurationFormat;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.SandboxInfo;
import dev.cordon.server.job.JsonTree;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sandboxes as the objects of the API. */
final class SandboxJson {
    private SandboxJson() {}

    static String state(SandboxInfo info) {
        return info.state().name().toLowerCase(Locale.ROOT);
    }

    static ObjectNode of(SandboxInfo info) {
        ObjectNode body = JsonTree.object()
                .put("id", info.id().value())
                .put("object", "sandbox")
                .put("state", state(info))
                .put("end", info.end())
                .put("isolation", info.isolation().label())
                .put("owner", info.owner());
        ObjectNode labels = body.putObject("labels");
        info.labels().forEach(labels::put);
        ArrayNode missing = body.putArray("limits_not_enforced");
        info.limitsNotEnforced().stream().map(Limit::key).forEach(missing::add);
        ArrayNode layers = body.putArray("layers_missing");
        info.layersMissing().forEach(layers::add);
        body.put("violations", info.violations().size()).put("running_jobs", info.running());
        body.put("created_at", info.created().toString());
        body.put("expires_at", info.expires() == null ? null : info.expires().toString());
        return body.put("idle_timeout", info.idleTimeout() == null ? null : DurationFormat.format(info.idleTimeout()));
    }
}
