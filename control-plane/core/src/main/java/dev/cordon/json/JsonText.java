package dev.cordon.json;

import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** JSON that is written property by property. */
public final class JsonText {
    private JsonText() {}

    /** One object, of the properties that are written into it. */
    public static String object(Consumer<JsonGenerator> properties) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            properties.accept(json);
            json.writeEndObject();
        }
        return text.toString();
    }
}
