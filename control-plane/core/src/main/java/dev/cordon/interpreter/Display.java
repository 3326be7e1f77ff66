package dev.cordon.interpreter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Something that the code displayed: a picture, a table. It can come in several forms, by their media types. All of it comes from the code:
 * HTML and SVG may hold scripts.
 */
public final class Display {
    private final Map<String, byte[]> forms;

    Display(Map<String, byte[]> forms) {
        this.forms = new LinkedHashMap<>(forms);
    }

    /** The media types that it comes in, such as {@code image/png} and {@code text/html}. */
    public List<String> types() {
        return new ArrayList<>(forms.keySet());
    }

    /** One form of it; the caller's own copy. */
    public Optional<byte[]> bytes(String type) {
        return Optional.ofNullable(forms.get(type)).map(byte[]::clone);
    }

    /** One form of it as UTF-8 text. */
    public Optional<String> text(String type) {
        return Optional.ofNullable(forms.get(type)).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    /** The picture, when it is one. */
    public Optional<byte[]> png() {
        return bytes("image/png");
    }

    /** The table or other page, when it is one. */
    public Optional<String> html() {
        return text("text/html");
    }

    @Override
    public String toString() {
        return "Display" + types();
    }
}
