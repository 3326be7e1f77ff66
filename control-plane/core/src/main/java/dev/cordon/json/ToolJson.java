package dev.cordon.json;

import dev.cordon.job.limit.Limit;
import dev.cordon.policy.RateLimit;
import dev.cordon.tool.Tool;
import java.io.StringWriter;
import java.util.Comparator;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A tool as the object of the HTTP API; {@code cordon tool ls --json} prints the same. */
public final class ToolJson {
    private ToolJson() {}

    /** The object on one line. */
    public static String of(Tool tool) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            write(json, tool);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Tool tool) {
        JsonMembers fields = new JsonMembers(json);
        json.writeStartObject();
        json.writeStringProperty("name", tool.name());
        json.writeStringProperty("object", "tool");
        json.writeStringProperty("description", tool.description());
        fields.strings("argv", tool.argv());
        json.writeName("parameters");
        json.writeRawValue(tool.parameters());
        fields.text(
                "isolation", tool.isolation() == null ? null : tool.isolation().label());
        fields.object(
                "limits",
                () -> tool.limits().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(Comparator.comparing(Limit::key)))
                        .forEach(limit -> json.writeStringProperty(
                                limit.getKey().key(), limit.getKey().show(limit.getValue()))));
        RateLimit rate = tool.rate();
        if (rate == null) {
            json.writeNullProperty("rate");
        } else {
            fields.object("rate", () -> {
                json.writeNumberProperty("count", rate.count());
                json.writeNumberProperty("period_ms", rate.per().toMillis());
                json.writeNumberProperty("burst", rate.burst());
            });
        }
        json.writeEndObject();
    }
}
