package dev.cordon.vm.json;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** One JSON object on a line of its own, in ASCII: so that a text with lone surrogates comes back as it was. */
public final class JsonLine {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final StringWriter line = new StringWriter();
    private final JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), line);

    /** An object without fields. */
    public JsonLine() {
        json.writeStartObject();
    }

    /** Adds a text. */
    public JsonLine text(String name, String value) {
        json.writeStringProperty(name, value);
        return this;
    }

    /** Adds a number. */
    public JsonLine number(String name, long value) {
        json.writeNumberProperty(name, value);
        return this;
    }

    /** Adds a value that is JSON already. */
    public JsonLine json(String name, String value) {
        json.writeName(name).writeRawValue(value);
        return this;
    }

    /** The line with its end. */
    public String end() {
        json.writeEndObject().close();
        return line.append('\n').toString();
    }
}
