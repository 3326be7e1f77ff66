package dev.cordon.vm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the small JSON documents of QEMU's monitor and of image archives: strictly, with bounded depth. A library would do the same, and
 * cost a start from a template a quarter of its time in loading classes.
 */
public final class Json {
    private static final int MOST_DEPTH = 32;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Reads one value: a map, a list, a string, a Double or Long, a Boolean, or null.
     *
     * @throws IOException when it is not JSON
     */
    public static @Nullable Object read(String text) throws IOException {
        Json json = new Json(text);
        Object value = json.value(0);
        json.blanks();
        if (json.at != text.length()) {
            throw json.wrong("something after the end");
        }
        return value;
    }

    /** Reads an object. */
    public static Map<String, @Nullable Object> object(String text) throws IOException {
        return asObject(read(text)).orElseThrow(() -> new IOException("JSON that is no object"));
    }

    /** The value as an object, when it is one. */
    @SuppressWarnings("unchecked")
    public static Optional<Map<String, @Nullable Object>> asObject(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? Optional.of((Map<String, @Nullable Object>) map) : Optional.empty();
    }

    /** A string as JSON. */
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                default -> {
                    if (c < ' ') {
                        quoted.append("\\u%04x".formatted((int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    private @Nullable Object value(int depth) throws IOException {
        if (depth > MOST_DEPTH) {
            throw wrong("nested too deeply");
        }
        blanks();
        return switch (peek()) {
            case '{' -> members(depth);
            case '[' -> elements(depth);
            case '"' -> string();
            case 't' -> literal("true", Boolean.TRUE);
            case 'f' -> literal("false", Boolean.FALSE);
            case 'n' -> literal("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> members(int depth) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        at++;
        blanks();
        if (peek() == '}') {
            at++;
            return members;
        }
        while (true) {
            blanks();
            String name = string();
            blanks();
            expect(':');
            if (members.containsKey(name)) {
                throw wrong("a name twice");
            }
            members.put(name, value(depth + 1));
            blanks();
            if (peek() == '}') {
                at++;
                return members;
            }
            expect(',');
        }
    }

    private List<@Nullable Object> elements(int depth) throws IOException {
        List<@Nullable Object> elements = new ArrayList<>();
        at++;
        blanks();
        if (peek() == ']') {
            at++;
            return elements;
        }
        while (true) {
            elements.add(value(depth + 1));
            blanks();
            if (peek() == ']') {
                at++;
                return elements;
            }
            expect(',');
        }
    }

    private String string() throws IOException {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return string.toString();
            }
            if (c < ' ') {
                throw wrong("a control character in a string");
            }
            string.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() throws IOException {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("an unknown escape");
        };
    }

    private char unicode() throws IOException {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), 16);
            if (digit < 0) {
                throw wrong("no hexadecimal digit");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Object number() throws IOException {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(begin, at);
        try {
            return digits.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(digits) : (Object) Double.valueOf(digits);
        } catch (NumberFormatException e) {
            throw wrong("no value");
        }
    }

    private @Nullable Object literal(String word, @Nullable Boolean value) throws IOException {
        if (!text.startsWith(word, at)) {
            throw wrong("no value");
        }
        at += word.length();
        return value;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() throws IOException {
        if (at >= text.length()) {
            throw wrong("its end");
        }
        return text.charAt(at);
    }

    private char next() throws IOException {
        char c = peek();
        at++;
        return c;
    }

    private void expect(char wanted) throws IOException {
        if (next() != wanted) {
            throw wrong("no '" + wanted + "'");
        }
    }

    private IOException wrong(String what) {
        return new IOException("not JSON: " + what + " at character " + at);
    }
}
