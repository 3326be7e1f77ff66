package dev.cordon.policy.file;

import dev.cordon.job.limit.InvalidText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/**
 * One table of a file, read strictly: unknown keys and wrong types are errors, and all of them are gathered.
 *
 * @param source the file, for messages
 * @param path   where the table stands in it; empty for the whole
 * @param node   what is there
 * @param errors where complaints go
 */
record TomlTable(String source, String path, JsonNode node, List<String> errors) {

    /**
     * The table of a node.
     *
     * @param source the file, for messages
     * @param path   where the table stands in it; empty for the whole
     * @param keys   what it may have; null for any key
     * @param errors where complaints go
     */
    static TomlTable of(String source, String path, JsonNode node, @Nullable List<String> keys, List<String> errors) {
        TomlTable table = new TomlTable(source, path, node, errors);
        if (!node.isObject() && !node.isMissingNode()) {
            table.wrong("", "is not a table", "write [" + path + "]");
        } else if (keys != null) {
            for (String key : node.propertyNames()) {
                if (!keys.contains(key)) {
                    table.wrong(key, "is not a key here", NameSuggestion.of(key, keys));
                }
            }
        }
        return table;
    }

    /** The text of a file of at most so many bytes. */
    static String text(
            Path file, long most, String remedy, Function<List<String>, ? extends RuntimeException> invalid) {
        try {
            if (Files.size(file) > most) {
                throw invalid.apply(List.of(file + ": is larger than " + most + " bytes" + remedy));
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw invalid.apply(List.of(
                    file + ": cannot be read (" + e.getClass().getSimpleName() + "); name a readable UTF-8 file"));
        }
    }

    /** What a text says, which is a file's. */
    static JsonNode tree(String source, String text, Function<List<String>, ? extends RuntimeException> invalid) {
        try {
            return new TomlMapper().readTree(text);
        } catch (JacksonException e) {
            throw invalid.apply(List.of(source + ": is not TOML: " + e.getOriginalMessage() + ", line "
                    + e.getLocation().getLineNr()));
        }
    }

    /** The names that are there. */
    List<String> names() {
        return node.isObject() ? List.copyOf(node.propertyNames()) : List.of();
    }

    /** Whether a key is there. */
    boolean has(String key) {
        return node.has(key);
    }

    /** A value that is read from text; numbers are text, too. Null when it is absent or wrong. */
    <T> @Nullable T value(String key, Function<String, T> reader, String example) {
        JsonNode value = node.path(key);
        if (value.isMissingNode()) {
            return null;
        }
        if (!value.isString() && !value.isNumber()) {
            wrong(key, "is neither text nor a number", "write " + example);
            return null;
        }
        return read(key, value.asString(), reader, example);
    }

    /** One text or a list of them; empty when absent. */
    <T> List<T> values(String key, Function<String, T> reader, String example) {
        JsonNode value = node.path(key);
        List<T> values = new ArrayList<>();
        Stream<JsonNode> items = value.isArray() ? value.valueStream() : Stream.of(value);
        for (JsonNode item : items.filter(each -> !each.isMissingNode()).toList()) {
            if (!item.isString()) {
                wrong(key, "is neither text nor a list of texts", "write " + example);
                continue;
            }
            T read = read(key, item.asString(), reader, example);
            if (read != null) {
                values.add(read);
            }
        }
        return values;
    }

    private <T> @Nullable T read(String key, String text, Function<String, T> reader, String example) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            boolean quoted = e instanceof InvalidText invalid && invalid.quoted();
            wrong(
                    key,
                    quoted ? String.valueOf(e.getMessage()) : "'" + text + "' " + e.getMessage(),
                    "write " + example);
            return null;
        }
    }

    /** A text; the other one when absent. */
    String text(String key, String otherwise) {
        String value = value(key, Function.identity(), "text");
        return value == null ? otherwise : value;
    }

    /** A whole number in a range; null when absent or wrong. */
    @Nullable
    Integer number(String key, int least, int most) {
        return value(
                key,
                text -> {
                    int number;
                    try {
                        number = Integer.parseInt(text);
                    } catch (NumberFormatException e) {
                        throw new IllegalArgumentException("is not a whole number", e);
                    }
                    if (number < least || number > most) {
                        throw new IllegalArgumentException("is not between " + least + " and " + most);
                    }
                    return number;
                },
                "a whole number between " + least + " and " + most);
    }

    /** A truth value; null when absent or wrong. */
    @Nullable
    Boolean truth(String key) {
        JsonNode value = node.path(key);
        if (value.isMissingNode()) {
            return null;
        }
        if (!value.isBoolean()) {
            wrong(key, "is neither true nor false", "write one of them, without quotes");
            return null;
        }
        return value.asBoolean();
    }

    /** A table inside; an empty one when absent. */
    TomlTable table(String key, @Nullable List<String> keys) {
        return of(source, at(key), node.path(key), keys, errors);
    }

    /** The tables of a list. */
    List<TomlTable> tables(String key, List<String> keys) {
        JsonNode value = node.path(key);
        List<TomlTable> tables = new ArrayList<>();
        if (value.isArray()) {
            int index = 0;
            for (JsonNode item : value) {
                tables.add(of(source, at(key) + "[" + index++ + "]", item, keys, errors));
            }
        } else if (!value.isMissingNode()) {
            wrong(key, "is not a list of tables", "write [[" + key + "]]");
        }
        return tables;
    }

    /** Complains about a key. */
    void wrong(String key, String rule, String remedy) {
        errors.add(source + ": " + at(key) + ": " + rule + "; " + remedy);
    }

    private String at(String key) {
        return path.isEmpty() || key.isEmpty() ? path + key : path + "." + key;
    }
}
