package dev.cordon.json;

import java.io.StringWriter;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes an object member by member. */
public record JsonMembers(JsonGenerator json) {
    /** One object on one line, of the members that are written into it. */
    public static String text(Consumer<JsonMembers> members) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            new JsonMembers(json).whole(members);
        }
        return text.toString();
    }

    /** Writes a whole object. */
    public void whole(Consumer<JsonMembers> members) {
        json.writeStartObject();
        members.accept(this);
        json.writeEndObject();
    }

    /** A text, or null. */
    public JsonMembers put(String name, @Nullable String value) {
        json.writeName(name);
        json.writeString(value);
        return this;
    }

    /** A whole number. */
    public JsonMembers put(String name, long value) {
        json.writeNumberProperty(name, value);
        return this;
    }

    /** A whole number, or null. */
    public JsonMembers put(String name, @Nullable Long value) {
        return value == null ? put(name, (String) null) : put(name, value.longValue());
    }

    /** True or false. */
    public JsonMembers put(String name, boolean value) {
        json.writeBooleanProperty(name, value);
        return this;
    }

    /** What is JSON already. */
    public JsonMembers raw(String name, String value) {
        json.writeName(name);
        json.writeRawValue(value);
        return this;
    }

    /** A list of texts. */
    public JsonMembers strings(String name, Collection<String> values) {
        return array(name, values, json::writeString);
    }

    /** A list of objects. */
    public <T> JsonMembers objects(String name, Collection<T> values, Consumer<T> members) {
        return array(name, values, value -> whole(_ -> members.accept(value)));
    }

    /** A list of anything. */
    public <T> JsonMembers array(String name, Collection<T> values, Consumer<T> each) {
        json.writeArrayPropertyStart(name);
        values.forEach(each);
        json.writeEndArray();
        return this;
    }

    /** An object. */
    public JsonMembers object(String name, Runnable members) {
        json.writeObjectPropertyStart(name);
        members.run();
        json.writeEndObject();
        return this;
    }
}
