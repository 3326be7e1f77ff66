package dev.cordon.json;

import dev.cordon.job.FieldError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Field errors in JSON: in their parts for programs, as a message for people. */
public final class FieldErrorJson {
    private FieldErrorJson() {}

    /** The fields of the object, in their order. */
    static SequencedMap<String, String> fields(FieldError error) {
        SequencedMap<String, String> fields = new LinkedHashMap<>();
        fields.put("pointer", error.pointer());
        fields.put("value", error.value());
        fields.put("rule", error.rule());
        fields.put("remedy", error.remedy());
        fields.put("message", error.message());
        return fields;
    }

    /** Adds an object for each. */
    public static void write(ArrayNode list, List<FieldError> errors) {
        for (FieldError error : errors) {
            ObjectNode object = list.addObject();
            fields(error).forEach(object::put);
        }
    }

    /** As it was written, but for whether it is about an amount; the message is made of the parts again. */
    public static List<FieldError> read(JsonNode list) {
        return list.valueStream()
                .map(error -> new FieldError(
                        error.path("pointer").asString(""),
                        error.path("value").asString(""),
                        error.path("rule").asString(error.path("message").asString("")),
                        error.path("remedy").asString("")))
                .toList();
    }
}
