package dev.cordon.json;

import dev.cordon.job.limit.Limit;
import dev.cordon.policy.RateLimit;
import dev.cordon.tool.Tool;
import java.util.Comparator;
import java.util.Map;

/** A tool as the object of the HTTP API; {@code cordon tool ls --json} prints the same. */
public final class ToolJson {
    private ToolJson() {}

    /** The object on one line. */
    public static String of(Tool tool) {
        return JsonMembers.text(json -> {
            json.put("name", tool.name()).put("object", "tool").put("description", tool.description());
            json.strings("argv", tool.argv()).raw("parameters", tool.parameters());
            json.put(
                    "isolation",
                    tool.isolation() == null ? null : tool.isolation().label());
            json.object(
                    "limits",
                    () -> tool.limits().entrySet().stream()
                            .sorted(Map.Entry.comparingByKey(Comparator.comparing(Limit::key)))
                            .forEach(limit -> json.put(
                                    limit.getKey().key(), limit.getKey().show(limit.getValue()))));
            RateLimit rate = tool.rate();
            if (rate == null) {
                json.put("rate", (String) null);
            } else {
                json.object(
                        "rate",
                        () -> json.put("count", rate.count())
                                .put("period_ms", rate.per().toMillis())
                                .put("burst", rate.burst()));
            }
        });
    }
}
