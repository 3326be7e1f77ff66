package dev.cordon.json;

import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The members that a {@link JsonGenerator} has no single call for. */
record JsonMembers(JsonGenerator json) {
    void text(String name, @Nullable String value) {
        if (value == null) {
            json.writeNullProperty(name);
        } else {
            json.writeStringProperty(name, value);
        }
    }

    void number(String name, @Nullable Long value) {
        if (value == null) {
            json.writeNullProperty(name);
        } else {
            json.writeNumberProperty(name, value);
        }
    }

    void strings(String name, Collection<String> values) {
        array(name, values, json::writeString);
    }

    <T> void objects(String name, Collection<T> values, Consumer<T> members) {
        array(name, values, value -> {
            json.writeStartObject();
            members.accept(value);
            json.writeEndObject();
        });
    }

    void object(String name, Runnable members) {
        json.writeObjectPropertyStart(name);
        members.run();
        json.writeEndObject();
    }

    private <T> void array(String name, Collection<T> values, Consumer<T> each) {
        json.writeArrayPropertyStart(name);
        values.forEach(each);
        json.writeEndArray();
    }
}
